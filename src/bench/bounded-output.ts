/** Where too much output ends: what a counterparty writes beyond it is neither seen nor recorded; its end is. */
import type { Port, PortEvent } from '../wire/index.ts';

/**
 * @param limit bytes of lines and standard error, over all Ports that are bounded by what this returns
 * @param reached called once, after what exceeded the limit
 */
export const createOutputBound = (limit: number, reached: () => void): ((port: Port) => Port) => {
  let left = limit;
  const isOver = () => left < 0;
  return port => ({
    ...port,
    listen: listener =>
      port.listen(event => {
        const size = sizeOf(event);
        if (size > 0 && isOver()) return;
        left -= size;
        listener(event);
        if (size > 0 && isOver()) reached();
      }),
  });
};

const sizeOf = (event: PortEvent): number =>
  event.type === 'line' ? event.line.bytes.length : event.type === 'stderr' ? event.bytes.length : 0;
