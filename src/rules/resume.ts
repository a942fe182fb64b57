/** A session/resume replays nothing, and may bring modes and options. State: none beyond the open requests. */
import { isTurnContent } from '../catalogue/index.ts';
import { showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';

export const resume = defineFrameRule({
  name: 'resume',
  party: 'agent',
  on: ['idle-update', 'session/resume'],
  requirements: {
    'RESUME-02': 'a session/resume result for a session with a finished turn',
    'RESUME-06': 'as for RESUME-02',
  },

  init: () => undefined,

  step(_, seen, judge) {
    const { answer, message, kind, sessionId } = seen;
    if (answer === 'first' && message?.type === 'result' && seen.facts.situations.has('stored-session')) {
      judge.exercised('RESUME-02');
      judge.exercised('RESUME-06');
    }
    // A turn that runs meanwhile has content of its own, and comes under another topic.
    if (!isTurnContent(kind) || seen.open.client.size === 0) return;
    const resuming = [...seen.open.client.values()].filter(request => request.sessionId === sessionId);
    const request = resuming.find(({ method }) => method === 'session/resume');
    if (!request || resuming.some(({ method }) => method === 'session/load')) return;
    judge.violated(
      'RESUME-02',
      showing(seen, {
        detail: `${kind} between a session/resume request and its response`,
        after: request.seq,
        expected: 'no message, tool call or plan of the past',
        hint: 'session/load is the method that replays.',
      }),
    );
  },
});
