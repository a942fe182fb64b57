/**
 * Nothing of a turn may follow the answer that ended it, nor anything of a replay the answer to session/load, until the
 * next prompt, load or resume. State: for each session a 64-bit hash and the last ending.
 */
import { isSessionScoped, isTurnContent, type RequirementId } from '../catalogue/index.ts';
import { reportCounts, showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

/** What ended the last exchange in a session, as it is kept beside the sequence number. */
const endings: readonly RequirementId[] = ['PROMPT-16', 'CANCEL-04', 'LOAD-03'];

export const turnFence = defineFrameRule({
  name: 'turn-fence',
  party: 'agent',
  on: ['session/prompt', 'session/load', 'session/resume', 'idle-update'],
  requirements: {
    'PROMPT-16': 'a session/prompt result other than cancelled',
    'CANCEL-04': 'a session/prompt result cancelled',
    'LOAD-03': 'a session/load result for a session with a finished turn',
  },

  init: () => ({
    ended: createHashMap(),
    counts: { 'PROMPT-16': 0, 'CANCEL-04': 0, 'LOAD-03': 0 } as Record<RequirementId, number>,
  }),

  step({ ended, counts }, seen, judge) {
    const { sessionId, method, message } = seen;
    if (sessionId === undefined) return;
    if (method !== 'session/update') {
      if (message?.type === 'request') ended.set(sessionId, 0);
      if (seen.answer !== 'first' || seen.turns.length > 0) return;
      const ending = endingOf(seen);
      if (ending === undefined) return;
      if (message?.type === 'result' && isOpportunity(ending, seen)) counts[ending]!++;
      ended.set(sessionId, seen.entry.seq * endings.length + endings.indexOf(ending));
      return;
    }
    const ending = ended.get(sessionId);
    if (ending === 0 || seen.from !== 'agent') return;
    const requirement = endings[ending % endings.length]!;
    const isLate = isTurnContent(seen.kind);
    const isNoted = requirement === 'CANCEL-04' && isSessionScoped(seen.kind);
    if (!isLate && !isNoted) return;
    judge.violated(
      requirement,
      showing(seen, {
        detail: `${seen.kind} after the answer that ended the ${requirement === 'LOAD-03' ? 'replay' : 'turn'}`,
        after: Math.floor(ending / endings.length),
        expected: 'all updates before the response',
        ...(isNoted && { situation: 'session-scoped-update' }),
        hint: 'Wait until every update is written before answering the request.',
      }),
    );
  },

  end({ counts }, judge) {
    reportCounts(judge, counts);
  },
});

const endingOf = ({ method, message, payload }: SeenFrame): RequirementId | undefined => {
  if (method === 'session/load') return message?.type === 'result' ? 'LOAD-03' : undefined;
  if (method === 'session/resume') return undefined;
  return payload?.stopReason === 'cancelled' ? 'CANCEL-04' : 'PROMPT-16';
};

const isOpportunity = (ending: RequirementId, { facts }: SeenFrame): boolean =>
  ending !== 'LOAD-03' || facts.situations.has('stored-session');
