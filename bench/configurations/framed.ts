/** The framer alone: strict UTF-8, strict JSON, every line kept byte for byte. */
import { once } from 'node:events';
import { wire } from '../compiled.ts';
import type { Configuration } from './configuration.ts';

export const framed: Configuration = async () => {
  const { createFramer } = await wire();
  return async output => {
    let lines = 0;
    const framer = createFramer({
      onLine: ({ kind }) => {
        if (kind === 'frame') lines++;
      },
    });
    output.on('data', (chunk: Buffer) => framer.push(chunk));
    await once(output, 'end');
    framer.end();
    return { lines };
  };
};
