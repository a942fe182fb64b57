/**
 * Bytes to lines: what stands on the wire must be one JSON object a line, in UTF-8, and nothing else.
 * State: counts, and the start of an object that may be spread over lines (at most 1 MiB).
 */
import { isAscii } from 'node:buffer';
import type { Judge } from '../catalogue/index.ts';
import type { AcpEntry } from '../journal/index.ts';
import type { LineFault, Party } from '../wire/index.ts';
import { reportCounts, showing } from './evidence.ts';
import { defineRule } from './rule.ts';
import { isFrame, type SeenFrame } from './seen.ts';
import { createSpreadObject } from './spread-object.ts';

export const framing = defineRule({
  name: 'framing',
  on: ['malformed', 'after-malformed', 'not-plain', 'other'],
  everyVersion: true,
  requirements: {
    'FRM-01': 'a line of the party with bytes outside ASCII',
    'FRM-02': 'a line of the party',
    'FRM-03': 'a frame of the party whose strings hold an escaped newline',
    'FRM-04': 'a line of the agent',
    'FRM-05': 'a line of the client',
    'FRM-06': 'bytes on the agent’s stderr',
    'RPC-15': 'a line of the party',
  },

  counts: ({ subject }) => ({ 'FRM-02': ['frame'], [purity(subject)]: ['frame'], 'RPC-15': ['frame'] }),

  init: ({ subject }) => ({
    subject,
    /** Without frames, which are counted for us. */
    malformed: 0,
    beyondAscii: 0,
    escapedNewlines: 0,
    /** The bench ended the party, which may have been in the middle of a line. */
    killed: false,
    spread: createSpreadObject(),
  }),

  step(state, seen, judge) {
    const { entry } = seen;
    if (!isFrame(seen)) {
      if (entry.channel === 'stderr' && state.subject === 'agent') judge.exercised('FRM-06');
      if (entry.channel === 'process' && entry.what.event === 'signal-sent') state.killed = true;
      return;
    }
    if (seen.from !== state.subject) return;
    const { line } = seen.entry;
    if (line.kind === 'malformed' && line.fault === 'unterminated' && state.killed) return;
    if (!isAscii(line.bytes)) state.beyondAscii++;
    if (line.kind === 'frame') {
      state.spread.interrupt();
      if (hasEscapedNewline(line.bytes)) state.escapedNewlines++;
      if (line.carriageReturn) cosmetic(seen, state.subject, judge, 'A carriage return before the line feed');
      return;
    }
    state.malformed++;
    malformed(seen, line.fault, line.detail, state.subject, judge);
    const start = state.spread.take(seen.entry.seq, line);
    if (start !== undefined) {
      judge.violated('FRM-03', {
        seq: start,
        detail: `One JSON object spread over the lines up to sequence ${seen.entry.seq}`,
        expected: 'one line for each object, newlines in strings escaped',
      });
    }
  },

  end(state, judge) {
    reportCounts(judge, {
      'FRM-01': state.beyondAscii,
      'FRM-02': state.malformed,
      'FRM-03': state.escapedNewlines,
      [purity(state.subject)]: state.malformed,
      'RPC-15': state.malformed,
    });
  },
});

/** What each kind of malformed line breaks, beside the purity of the stream. An over-long line breaks no rule of ACP. */
const broken: Readonly<Partial<Record<LineFault, readonly string[]>>> = {
  'not-json': ['FRM-02'],
  'not-object': ['FRM-02', 'RPC-15'],
  batch: ['FRM-02', 'RPC-15'],
  'invalid-utf8': ['FRM-01'],
  'byte-order-mark': ['FRM-02'],
  unterminated: ['FRM-02'],
};

const malformed = (seen: SeenFrame, fault: LineFault, detail: string, subject: Party, judge: Judge): void => {
  if (fault === 'over-long') return;
  if (fault === 'blank') {
    cosmetic(seen, subject, judge, 'A blank line');
    return;
  }
  const evidence = showing(seen, {
    detail,
    expected: 'one JSON-RPC message as one line that ends with a line feed',
  });
  for (const requirement of broken[fault] ?? []) judge.violated(requirement, evidence);
  if (fault !== 'unterminated' || !isWholeObject(seen.entry)) judge.violated(purity(subject), evidence);
};

const cosmetic = (seen: SeenFrame, subject: Party, judge: Judge, detail: string): void => {
  const evidence = showing(seen, { detail, expected: 'a line feed alone', situation: 'cosmetic-line' });
  judge.violated('FRM-02', evidence);
  judge.violated(purity(subject), evidence);
};

const purity = (subject: Party): 'FRM-04' | 'FRM-05' => (subject === 'agent' ? 'FRM-04' : 'FRM-05');

/** A last line that lacks nothing but its line feed. */
const isWholeObject = ({ line }: AcpEntry): boolean => {
  try {
    return typeof JSON.parse(new TextDecoder().decode(line.bytes)) === 'object';
  } catch {
    return false;
  }
};

const backslash = 0x5c;
const escapes: ReadonlySet<number> = new Set([0x6e, 0x72]);

/** Whether the text holds `\n` or `\r`, and not after a backslash that is itself escaped. */
const hasEscapedNewline = (bytes: Uint8Array): boolean => {
  for (let at = bytes.indexOf(backslash); at >= 0; at = bytes.indexOf(backslash, at + 2)) {
    if (escapes.has(bytes[at + 1] ?? 0)) return true;
  }
  return false;
};
