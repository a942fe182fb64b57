/** One thing in which a report and what its journals give are not alike. */
export interface Difference {
  /** What it is about: a requirement, a scenario, a journal, or the report itself. */
  readonly subject: string;
  /** One sentence. */
  readonly detail: string;
}

/** Notes a difference. */
export type Differ = (subject: string, detail: string) => void;
