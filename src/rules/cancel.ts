/**
 * What follows a session/cancel. Graded only where the journal proves that the turn was running: the cancel was written
 * while a request of the agent in that session was open, and before the response was read. With two prompts open
 * in one session nothing is graded. State: the cancelled prompts that are open, and a hash of each session that was
 * cancelled while idle.
 */
import type { Judge, RequirementId } from '../catalogue/index.ts';
import { isObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface Cancelled {
  /** Journal sequence of the cancel. */
  readonly seq: number;
  /** Permission requests that were open. */
  readonly permissions: ReadonlySet<number>;
  /** One of them was answered as cancelled. */
  permissionCancelled: boolean;
}

interface State {
  /** By the sequence number of the prompt. */
  readonly provable: Map<number, Cancelled>;
  /** Prompts that some cancel was sent for. */
  readonly cancelled: Set<number>;
  /** Sessions whose last cancel came while they were idle: its sequence number. */
  readonly idle: HashMap;
}

export const cancel = defineFrameRule<State>({
  name: 'cancel',
  party: 'agent',
  on: ['session/cancel', 'session/prompt', 'session/request_permission'],
  requirements: {
    'CANCEL-02': 'the answer of a prompt that was provably running when it was cancelled',
    'CANCEL-03': 'the answer of a prompt that was provably running when it was cancelled',
    'CANCEL-06': 'a prompt result in a session that was cancelled while idle',
    'CANCEL-10': 'as for CANCEL-02, with an open permission request that was then answered cancelled',
    'PERM-09': 'as for CANCEL-10',
  },

  init: () => ({
    provable: new Map(),
    cancelled: new Set(),
    idle: createHashMap(),
  }),

  step(state, seen, judge) {
    if (seen.sessionId === undefined) return;
    if (seen.method === 'session/cancel') cancelSent(state, seen);
    else if (seen.method === 'session/request_permission') permissionAnswered(state, seen);
    else if (seen.answer === 'first') promptAnswered(state, seen, judge);
  },
});

const cancelSent = ({ provable, cancelled, idle }: State, seen: SeenFrame): void => {
  const { turns, sessionId, entry, from } = seen;
  if (from !== 'client' || sessionId === undefined) return;
  if (turns.length === 0) idle.set(sessionId, entry.seq);
  for (const { seq } of turns) cancelled.add(seq);
  const [turn] = turns;
  const open = [...seen.open.agent.values()].filter(request => request.sessionId === sessionId);
  if (!turn || turns.length > 1 || open.length === 0 || provable.has(turn.seq)) return;
  const permissions = open.filter(({ method }) => method === 'session/request_permission');
  provable.set(turn.seq, {
    seq: entry.seq,
    permissions: new Set(permissions.map(({ seq }) => seq)),
    permissionCancelled: false,
  });
};

const permissionAnswered = ({ provable }: State, { answer, request, payload }: SeenFrame): void => {
  if (answer !== 'first' || !request || !isObject(payload?.outcome)) return;
  if (payload.outcome.outcome !== 'cancelled') return;
  for (const each of provable.values())
    if (each.permissions.has(request.seq)) each.permissionCancelled = true;
};

const promptAnswered = ({ provable, cancelled, idle }: State, seen: SeenFrame, judge: Judge): void => {
  const { request, sessionId, payload } = seen;
  if (!request || sessionId === undefined) return;
  const wasCancelled = cancelled.delete(request.seq);
  const proved = provable.get(request.seq);
  provable.delete(request.seq);
  if (proved) judgeProved(proved, seen, judge);
  const idleSeq = idle.get(sessionId);
  if (idleSeq === 0 || wasCancelled || request.seq < idleSeq || seen.message?.type !== 'result') return;
  idle.set(sessionId, 0);
  judge.exercised('CANCEL-06');
  if (payload?.stopReason !== 'cancelled') return;
  judge.violated(
    'CANCEL-06',
    showing(seen, {
      detail: 'A cancel without a running turn cancelled the next one',
      after: idleSeq,
      pointer: '/result/stopReason',
      actual: 'cancelled',
    }),
  );
};

const judgeProved = (proved: Cancelled, seen: SeenFrame, judge: Judge): void => {
  const { message, payload } = seen;
  const both: readonly RequirementId[] = proved.permissionCancelled ? ['CANCEL-10', 'PERM-09'] : [];
  for (const requirement of ['CANCEL-02', 'CANCEL-03', ...both]) judge.exercised(requirement);
  if (payload?.stopReason === 'cancelled') return;
  const isError = message?.type === 'error';
  const evidence = showing(seen, {
    detail: isError
      ? 'A cancelled turn was answered with an error'
      : 'A cancelled turn did not end as cancelled',
    after: proved.seq,
    pointer: isError ? '/error' : '/result/stopReason',
    expected: 'a result with stopReason cancelled',
    ...(payload?.stopReason !== undefined && { actual: payload.stopReason }),
    hint: 'Map the abort to stopReason "cancelled" before answering the prompt.',
  });
  for (const requirement of [isError ? 'CANCEL-03' : 'CANCEL-02', ...both])
    judge.violated(requirement, evidence);
};
