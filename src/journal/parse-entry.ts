/** Reads back the lines that `entry-line.ts` describes, and says what is wrong with one that is none. */
import { isUtf8 } from 'node:buffer';
import {
  isObject,
  type JsonObject,
  type Line,
  type LineFault,
  type Party,
  readMessage,
} from '../wire/index.ts';
import type { BenchEvent, Entry, JournalHeader, ProcessEvent } from './entry.ts';
import { frameMarker } from './entry-line.ts';

/** The format of this release. */
export const journalFormat = 'acp-testbench/1';

/** @throws SyntaxError whose message completes "this line …" */
export const parseHeader = (line: Uint8Array): JournalHeader => {
  const header = parseObject(textOf(line));
  if (header.journal !== journalFormat) {
    throw new SyntaxError(
      typeof header.journal === 'string' && header.journal.startsWith('acp-testbench/')
        ? `has the format ${header.journal}; this release reads ${journalFormat}`
        : 'is no header of a journal',
    );
  }
  for (const member of ['bench', 'run']) check(header, member, isString);
  check(header, 'startedAt', isMoment);
  check(header, 'subject', isParty);
  if (header.scripts !== undefined) {
    check(header, 'scripts', isListOfObjects);
    for (const script of header.scripts as readonly JsonObject[]) {
      check(script, 'id', isString);
      check(script, 'digest', isString);
    }
    check(header, 'bindings', isObject);
  }
  return header as unknown as JournalHeader;
};

/**
 * Inverse of `serializeEntry`.
 * @param line one line without its line feed
 * @throws SyntaxError whose message completes "this line …"
 */
export const parseEntry = (line: Uint8Array): Entry => {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const marker = bytes.indexOf(frameMarker);
  const isFrame = marker !== -1 && bytes.at(-1) === closingBrace;
  const fields = parseObject(isFrame ? `${textOf(bytes.subarray(0, marker))}}` : textOf(bytes));
  const raw = isFrame ? bytes.subarray(marker + frameMarker.length, -1) : undefined;
  check(fields, 'seq', isCount);
  check(fields, 't', isNumber);
  check(fields, 'connection', isCount);
  const { seq, t, connection } = fields as { seq: number; t: number; connection: number };
  const place = { seq, t, connection };
  if (raw !== undefined && fields.channel !== 'acp') throw new SyntaxError('holds a frame outside "acp"');
  switch (fields.channel) {
    case 'acp': {
      check(fields, 'by', isOneOf(undefined, 'script', 'fixture', 'foreign'));
      check(fields, 'declaredFault', isOneOf(undefined, true));
      check(fields, 'cr', isOneOf(undefined, true));
      const read = raw === undefined ? malformedLine(fields) : frameLine(fields, raw);
      return {
        ...place,
        channel: 'acp',
        from: party(fields),
        line: read,
        message: read.kind === 'frame' ? readMessage(read.value) : undefined,
        ...(fields.by === undefined ? {} : { by: fields.by as 'script' }),
        ...(fields.declaredFault ? { declaredFault: true } : {}),
      };
    }
    case 'stderr':
      return { ...place, channel: 'stderr', from: party(fields), bytes: bytesOf(fields) };
    case 'process':
      return { ...place, channel: 'process', from: party(fields), what: event(fields, processEvents) };
    case 'bench':
      return { ...place, channel: 'bench', what: event(fields, benchEvents) };
    default:
      throw new SyntaxError(`has the unknown channel ${JSON.stringify(fields.channel)}`);
  }
};

const closingBrace = 0x7d;

const frameLine = (fields: JsonObject, bytes: Buffer): Line => ({
  kind: 'frame',
  bytes,
  value: parseObject(textOf(bytes)),
  carriageReturn: fields.cr === true,
});

const malformedLine = (fields: JsonObject): Line => {
  check(fields, 'malformed', isOneOf(...lineFaults));
  check(fields, 'detail', isString);
  check(fields, 'continues', isOneOf(undefined, true));
  return {
    kind: 'malformed',
    fault: fields.malformed as LineFault,
    bytes: bytesOf(fields),
    carriageReturn: fields.cr === true,
    ...(fields.continues ? { continues: true } : {}),
    detail: fields.detail as string,
  };
};

const bytesOf = (fields: JsonObject): Buffer => {
  if (typeof fields.text === 'string') return Buffer.from(fields.text);
  check(fields, 'base64', isString);
  return Buffer.from(fields.base64 as string, 'base64');
};

type Check = (value: unknown) => boolean;

const isString: Check = value => typeof value === 'string';
const isListOfObjects: Check = value => Array.isArray(value) && value.length > 0 && value.every(isObject);
const isMoment: Check = value => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isNumber: Check = value => Number.isFinite(value);
const isCount: Check = value => Number.isSafeInteger(value) && (value as number) >= 1;
const isInteger: Check = value => Number.isSafeInteger(value);
const isBoolean: Check = value => typeof value === 'boolean';
const isOneOf =
  (...values: unknown[]): Check =>
  value =>
    values.includes(value);
const isListOf =
  (item: Check): Check =>
  value =>
    Array.isArray(value) && value.every(item);
const orNull =
  (item: Check): Check =>
  value =>
    value === null || item(value);
const optional =
  (item: Check): Check =>
  value =>
    value === undefined || item(value);
const isParty = isOneOf('client', 'agent');

const lineFaults: readonly LineFault[] = [
  'not-json',
  'not-object',
  'batch',
  'invalid-utf8',
  'byte-order-mark',
  'blank',
  'over-long',
  'unterminated',
];

/** For each event the members that it has. */
type Events<E extends { readonly event: string }> = {
  readonly [Name in E['event']]: Readonly<
    Record<Exclude<keyof Extract<E, { readonly event: Name }>, 'event'>, Check>
  >;
};

const processEvents: Events<ProcessEvent> = {
  start: { command: isListOf(isString), pid: optional(isInteger) },
  eof: {},
  'input-closed': {},
  exit: { code: orNull(isInteger), signal: orNull(isString) },
  'signal-sent': { signal: isString },
  broken: { reason: isString },
  'left-behind': { pids: isListOf(isInteger) },
};

const benchEvents: Events<BenchEvent> = {
  timer: { id: isInteger },
  scenario: { scenario: isString },
  step: { step: isString },
  trigger: { trigger: isString, fired: isBoolean },
  note: { text: isString },
};

const event = <E extends { readonly event: string }>(
  fields: JsonObject,
  events: Readonly<Record<string, Readonly<Record<string, Check>>>>,
): E => {
  check(fields, 'what', isObject);
  const what = fields.what as JsonObject;
  const name = what.event;
  if (!isString(name) || !Object.hasOwn(events, name as string)) {
    throw new SyntaxError(`has the unknown event ${JSON.stringify(name)}`);
  }
  for (const [member, fits] of Object.entries(events[name as string]!)) check(what, member, fits);
  return what as unknown as E;
};

const party = (fields: JsonObject): Party => {
  check(fields, 'from', isParty);
  return fields.from as Party;
};

const check = (fields: JsonObject, member: string, fits: Check): void => {
  if (fits(fields[member])) return;
  throw new SyntaxError(
    fields[member] === undefined ? `lacks "${member}"` : `has an impossible value in "${member}"`,
  );
};

const parseObject = (text: string): JsonObject => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError('is not valid JSON');
  }
  if (!isObject(value)) throw new SyntaxError('is not one JSON object');
  return value;
};

const textOf = (bytes: Uint8Array): string => {
  if (!isUtf8(bytes)) throw new SyntaxError('is not valid UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
};
