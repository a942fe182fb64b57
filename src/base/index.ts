export { counted } from './counted.ts';
export { didYouMean } from './did-you-mean.ts';
export { parseDuration } from './duration.ts';
export { freePath, timeInName } from './free-path.ts';
export { pointerNames, pointerStep } from './json-pointer.ts';
export { type SchemaMistake, schemaMistake } from './schema-mistake.ts';
export { benchVersion, compiled, compiledUrl, shipped } from './shipped.ts';
export { exitCode, UserError } from './user-error.ts';
export { parseYaml, parseYamlFile, readTextFile, type YamlFile } from './yaml-file.ts';
