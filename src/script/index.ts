export type { Known } from './check.ts';
export { type CompiledScript, type CompileOptions, compileScript } from './compile.ts';
export { digestOf } from './digest.ts';
export type { Decision, ScriptBindings, ScriptHost, ScriptResult } from './host.ts';
export { instancesOf, type ScriptInstance } from './instances.ts';
export { loadScript, parseScript } from './load.ts';
export { compare, type Difference, matches, type SchemaTest } from './match.ts';
export { type Replay, type ReplayOptions, replayScripts } from './replay.ts';
export type { Mismatch } from './replayed-output.ts';
export { runScript, runScripts } from './run.ts';
export { loadSchemaTest } from './schema-test.ts';
export {
  type Branch,
  defineScript,
  type EventPattern,
  type Handler,
  type Match,
  type Mutation,
  type Script,
  type Step,
  standsOn,
  type Underlying,
} from './script.ts';
export { trafficLimit } from './traffic-limit.ts';
export { type Verb, verbNames, verbOf } from './verbs/index.ts';
