import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOutputBound } from '../../src/bench/bounded-output.ts';
import type { Port, PortEvent } from '../../src/wire/index.ts';

it('leaves out what is written beyond the limit, on whichever connection, but not how it ends', () => {
  const bytes = (text: string) => Buffer.from(text);
  const line = (text: string): PortEvent => ({
    type: 'line',
    line: { kind: 'malformed', fault: 'not-json', bytes: bytes(text), carriageReturn: false, detail: '' },
  });
  const seen: string[] = [];
  const bounded = createOutputBound(10, () => seen.push('reached'));
  const connect = (events: readonly PortEvent[]) => {
    const port: Port = {
      send: async () => {},
      end() {},
      listen: listener => events.forEach(listener),
    };
    bounded(port).listen(event => {
      if (event.type === 'line') seen.push(String(event.line.bytes));
      else seen.push(event.type === 'stderr' ? String(event.bytes) : event.type);
    });
  };
  connect([line('12345'), { type: 'stderr', bytes: bytes('67890') }, { type: 'eof' }]);
  connect([
    line('one more'),
    line('left out'),
    { type: 'stderr', bytes: bytes('left out') },
    { type: 'eof' },
    { type: 'exit', code: 0, signal: null },
  ]);
  assert.deepEqual(seen, ['12345', '67890', 'eof', 'one more', 'reached', 'eof', 'exit']);
});
