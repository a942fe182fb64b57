/**
 * Marks in an agent's environment, inherited by what it starts: by them its descendants are found again after they
 * left its process group or session, and no process without one is ever touched.
 */

/** Carries the id of the run: what the guardian ends when the bench is gone. */
export const runVariable = 'ACP_TESTBENCH_RUN';

/** Carries the id of one launch, so that stopping one agent of a run leaves the others alone. */
export const launchVariable = 'ACP_TESTBENCH_LAUNCH';

/** One entry of an environment block, as it is compared. */
export const environmentEntry = (name: string, value: string): string => `${name}=${value}`;
