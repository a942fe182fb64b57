import type { Turn, TurnScript } from '../turn.ts';
import { textBlock } from '../updates.ts';

/** Compacts the context, in view of clients that follow it. */
export const compact: TurnScript = async turn => {
  if (turn.agent.capabilities.compaction) await compactInView(turn);
  await turn.say('I have made room for more.');
  return 'end_turn';
};

const compactInView = async (turn: Turn): Promise<void> => {
  const compactionId = turn.newId('compaction');
  const report = (status: string): void =>
    turn.tell({ sessionUpdate: 'compaction_update', compactionId, status });

  report('in_progress');
  try {
    await turn.pause();
    turn.tell({
      sessionUpdate: 'compaction_summary_chunk',
      compactionId,
      content: textBlock('The conversation so far, in short.'),
    });
    await turn.pause();
  } catch (error) {
    report('cancelled');
    throw error;
  }
  report('completed');
};
