export { agentEnvironment, type Environment, type EnvironmentOptions, passedOn } from './environment.ts';
export { type Launched, type LaunchOptions, launch, stderrHeadBytes } from './launch.ts';
export { runVariable } from './marks.ts';
export { isRunning } from './process-table.ts';
export { type ResolvedCommand, type ResolveOptions, resolveCommand } from './resolve-command.ts';
export {
  type PackageRunnerOptions,
  type ResolvedRunner,
  resolvePackageRunner,
} from './resolve-package-runner.ts';
export { createRunFolders, givenFolder, homeFolder, keepApart, type RunFolders } from './run-folders.ts';
export { type Guardian, startGuardian } from './start-guardian.ts';
export type { Exit, Rung, StopEvent, StopOptions, StopReport } from './stop-ladder.ts';
