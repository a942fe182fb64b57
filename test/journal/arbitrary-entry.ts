/** Entries of every kind, for properties. */
import fc from 'fast-check';
import type { Entry } from '../../src/journal/index.ts';
import { frameDraft } from './support.ts';

/** Objects as JSON.parse makes them. */
const record = <T extends object>(model: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(model, { noNullPrototype: true });

const party = fc.constantFrom('client', 'agent');
const bytes = fc
  .oneof(fc.uint8Array(), fc.string({ unit: 'binary' }).map(Buffer.from))
  .map(it => Buffer.from(it));
const lineBytes = fc
  .oneof(
    fc.json().map(json => Buffer.from(json)),
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()).map(it => Buffer.from(JSON.stringify(it))),
    fc.dictionary(fc.string(), fc.jsonValue()).map(it => Buffer.from(`${JSON.stringify(it)}\r`)),
    bytes,
  )
  .filter(it => !it.includes(0x0a));

const optional = <Name extends string, T>(name: Name, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map(given => (given === undefined ? {} : { [name]: given }));

const acpPart = fc
  .tuple(
    party,
    lineBytes,
    optional('by', fc.constantFrom('script', 'fixture', 'foreign')),
    optional('declaredFault', fc.constant(true)),
  )
  .map(([from, raw, by, declaredFault]) => ({ ...frameDraft(raw), from, ...by, ...declaredFault }));

const processEvent = fc.oneof(
  fc
    .tuple(fc.array(fc.string()), optional('pid', fc.nat()))
    .map(([command, pid]) => ({ event: 'start', command, ...pid })),
  fc.constantFrom({ event: 'eof' }, { event: 'input-closed' }),
  record({
    event: fc.constant('exit'),
    code: fc.option(fc.integer()),
    signal: fc.option(fc.constantFrom('SIGTERM', 'SIGKILL')),
  }),
  record({ event: fc.constant('signal-sent'), signal: fc.string() }),
  record({ event: fc.constant('broken'), reason: fc.string({ unit: 'binary' }) }),
  record({ event: fc.constant('left-behind'), pids: fc.array(fc.nat()) }),
);
const benchEvent = fc.oneof(
  record({ event: fc.constant('timer'), id: fc.nat() }),
  record({ event: fc.constant('scenario'), scenario: fc.string() }),
  record({ event: fc.constant('step'), step: fc.string() }),
  record({ event: fc.constant('trigger'), trigger: fc.string(), fired: fc.boolean() }),
  record({ event: fc.constant('note'), text: fc.string({ unit: 'binary' }) }),
);

/** Entries of every kind. */
export const anyEntry = fc
  .tuple(
    record({
      seq: fc.integer({ min: 1 }),
      t: fc.double({ noNaN: true, noDefaultInfinity: true }).map(t => (t === 0 ? 0 : t)),
      connection: fc.integer({ min: 1 }),
    }),
    fc.oneof(
      acpPart,
      record({ channel: fc.constant('stderr'), from: party, bytes }),
      record({ channel: fc.constant('process'), from: party, what: processEvent }),
      record({ channel: fc.constant('bench'), what: benchEvent }),
    ),
  )
  .map(([where, what]) => ({ ...what, ...where }) as unknown as Entry);
