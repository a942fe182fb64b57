export { type ReferenceClientOptions, referenceClient } from './reference-client.ts';
export type { Task, TaskName, TaskOutcome, TaskWishes } from './task.ts';
