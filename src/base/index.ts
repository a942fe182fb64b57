export { didYouMean } from './did-you-mean.ts';
export { parseDuration } from './duration.ts';
export { benchVersion, compiled, compiledUrl, shipped } from './shipped.ts';
export { exitCode, UserError } from './user-error.ts';
