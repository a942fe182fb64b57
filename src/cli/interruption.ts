/** Ctrl-C: the first asks the command to come to an end, the second ends the bench at once. */
import { exitCode } from '../base/index.ts';

export const interruption = (): AbortSignal => {
  const controller = new AbortController();
  const interrupt = () => {
    // What the run has started is ended by its guardian, which outlives this process.
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
};
