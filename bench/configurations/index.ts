import { bare } from './bare.ts';
import type { Configuration } from './configuration.ts';
import { framed } from './framed.ts';
import { judged, pipeline } from './pipeline.ts';
import { sdk } from './sdk.ts';

export type { Configuration, Outcome, Task } from './configuration.ts';
export { journalName } from './pipeline.ts';

export const configurations = { bare, framed, judged, pipeline, sdk } satisfies Record<string, Configuration>;
export type ConfigurationName = keyof typeof configurations;
