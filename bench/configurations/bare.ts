/**
 * The yardstick: the least that any program does. Each chunk is decoded by itself (so a character that lies in two
 * chunks is lost), joined to what the last one left over, split at line feeds, and each line parsed.
 */
import { once } from 'node:events';
import type { Configuration } from './configuration.ts';

export const bare: Configuration = async () => async output => {
  let lines = 0;
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop()!;
    for (const part of parts) {
      JSON.parse(part);
      lines++;
    }
  });
  await once(output, 'end');
  return { lines };
};
