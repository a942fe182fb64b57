import type { TurnScript } from '../turn.ts';

const steps = [
  { content: 'Understand the task', priority: 'high' },
  { content: 'Do the work', priority: 'medium' },
  { content: 'Look it over', priority: 'low' },
] as const;

/** Tells the whole plan each time that a step of it begins or ends. */
export const makePlan: TurnScript = async turn => {
  for (let done = 0; done <= steps.length; done++) {
    turn.tell({
      sessionUpdate: 'plan',
      entries: steps.map((step, index) => ({
        ...step,
        status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
      })),
    });
    await turn.pause();
  }
  await turn.say('All steps of the plan are done.');
  return 'end_turn';
};
