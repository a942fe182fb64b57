export { isAbsolutePath, isBase64, isIsoTimestamp } from './formats.ts';
export { loadProtocol } from './load.ts';
export type { FaultKind, Method, Protocol, Release, SchemaFault } from './protocol.ts';
export { defaultRelease, releases } from './protocol.ts';
export { reservedWords } from './reserved-words.ts';
