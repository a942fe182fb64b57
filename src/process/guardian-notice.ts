import type { ProcessIdentity } from './sweep.ts';

/** What the bench tells its guardian, one JSON object per line. */
export type GuardianNotice =
  /** The temporary folder of the run, told before it is created. */
  | { readonly folder: string }
  /** A home folder that the run is about to create below its temporary folder. */
  | { readonly home: string }
  /** An agent that was started as leader of its own session. */
  | { readonly leader: ProcessIdentity };
