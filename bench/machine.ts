import { cpus, totalmem } from 'node:os';

/** What the figures depend on beside the code. */
export const machine = (): Readonly<Record<string, string | number>> => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 2 ** 30),
});
