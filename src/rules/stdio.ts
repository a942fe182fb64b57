/** An agent that ends with its input leaves nothing of what it started. State: flags. */
import { defineRule } from './rule.ts';
import { isFrame } from './seen.ts';

export const stdio = defineRule({
  name: 'stdio',
  on: ['other'],
  everyVersion: true,
  requirements: {
    'FRM-12': 'an agent that ends by itself after its input was closed',
  },

  init: ({ subject }) => ({
    subject,
    isInputClosed: false,
    /** The bench ended it, so what it did not tidy up is no fault of its own. */
    isSignalled: false,
    endedBy: undefined as number | undefined,
  }),

  step(state, seen, judge) {
    if (isFrame(seen)) return;
    const { entry } = seen;
    if (entry.channel !== 'process' || state.subject !== 'agent') return;
    switch (entry.what.event) {
      case 'input-closed':
        state.isInputClosed = true;
        return;
      case 'signal-sent':
        state.isSignalled = true;
        return;
      case 'exit':
        if (!state.isInputClosed || state.isSignalled) return;
        state.endedBy = entry.seq;
        judge.exercised('FRM-12');
        return;
      case 'left-behind':
        if (state.endedBy === undefined) return;
        judge.violated('FRM-12', {
          detail: `The agent ended and left ${entry.what.pids.length} of its processes running`,
          seq: entry.seq,
          after: state.endedBy,
          expected: 'nothing that the agent started outlives it',
          hint: 'End child processes when the input ends, those of MCP servers and shells included.',
        });
    }
  },
});
