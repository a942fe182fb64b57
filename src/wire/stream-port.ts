import type { Readable, Writable } from 'node:stream';
import { createEventQueue } from './event-queue.ts';
import { createFramer } from './framer.ts';
import type { Port } from './port.ts';

export interface StreamPortOptions {
  /** The counterparty's input: what `send` writes to. */
  readonly input: Writable;
  /** The counterparty's output. */
  readonly output: Readable;
  readonly stderr?: Readable;
  /** See `FramerOptions`. */
  readonly maxLineBytes?: number;
  /** Resolves when the counterparty's process ended; the Port reports it after `eof`. */
  readonly exited?: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** A Port over streams, such as the pipes of a child process or our own stdin and stdout. */
export const streamPort = ({ input, output, stderr, maxLineBytes, exited }: StreamPortOptions): Port => {
  const { emit, listen } = createEventQueue();
  const framer = createFramer({
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    onLine: line => emit({ type: 'line', line }),
  });

  let isBroken = false;
  const broken = (reason: string): void => {
    if (isBroken) return;
    isBroken = true;
    emit({ type: 'broken', reason });
  };
  input.on('error', error => broken(error.message));

  output.on('data', (chunk: Buffer) => framer.push(chunk));
  // A stream that fails or is destroyed closes without an end; either way no more comes. The error says no more.
  output.on('error', () => {});
  const outputEnded = new Promise<void>(resolve => {
    output.once('end', resolve);
    output.once('close', resolve);
  }).then(() => {
    framer.end();
    emit({ type: 'eof' });
  });
  stderr?.on('data', (bytes: Buffer) => emit({ type: 'stderr', bytes }));
  stderr?.on('error', () => {});
  if (exited) void Promise.all([exited, outputEnded]).then(([exit]) => emit({ type: 'exit', ...exit }));

  return {
    send: bytes =>
      new Promise(resolve => {
        if (input.writable) {
          input.write(bytes, () => resolve());
        } else {
          broken('the input is closed');
          resolve();
        }
      }),
    end() {
      if (input.writable) input.end();
    },
    listen,
    pauseReading: () => void output.pause(),
    resumeReading: () => void output.resume(),
  };
};
