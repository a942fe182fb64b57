/**
 * The file form of a journal: one line of JSON per header or entry, without its line feed. A frame stands at the end of
 * its line exactly as it came, so nothing about it (member order, duplicate keys, number forms) is lost.
 */
import { isUtf8 } from 'node:buffer';
import type { Frame, MalformedLine } from '../wire/index.ts';
import type { AcpEntry, Entry, JournalHeader } from './entry.ts';

/** What stands between the other members of a frame's line and the raw bytes; `}` follows them. */
export const frameMarker = ',"frame":';

export const serializeHeader = (header: JournalHeader): string => JSON.stringify(header);

/** Inverse of `parseEntry`. */
export const serializeEntry = (entry: Entry): Uint8Array =>
  isFrameEntry(entry)
    ? Buffer.concat([
        Buffer.from(`${frameHead}${entry.seq}${circumstancesOf(entry)}`),
        entry.line.bytes,
        Buffer.from(frameTail),
      ])
    : Buffer.from(entryText(entry));

export interface FrameEntry extends AcpEntry {
  readonly line: Frame;
}

export const isFrameEntry = (entry: Entry): entry is FrameEntry =>
  entry.channel === 'acp' && entry.line.kind === 'frame';

/** What stands before the sequence in a frame's line, and after the raw bytes. */
export const frameHead = '{"seq":';
export const frameTail = '}';

/** What stands between the sequence and the raw bytes, in ASCII; mostly the same for all frames of a chunk. */
export const circumstancesOf = ({ t, connection, from, by, declaredFault, line }: FrameEntry): string =>
  `,"t":${t},"connection":${connection},"channel":"acp","from":"${from}"${
    by === undefined ? '' : `,"by":"${by}"`
  }${declaredFault ? ',"declaredFault":true' : ''}${line.carriageReturn ? ',"cr":true' : ''}${frameMarker}`;

/** The whole line of any other entry. */
export const entryText = (entry: Exclude<Entry, FrameEntry>): string => {
  const { seq, t, connection, channel } = entry;
  const place = { seq, t, connection, channel };
  switch (entry.channel) {
    case 'acp': {
      const { from, by, declaredFault } = entry;
      return JSON.stringify({ ...place, from, by, declaredFault, ...malformedMembers(entry.line) });
    }
    case 'stderr':
      return JSON.stringify({ ...place, from: entry.from, ...bytesMembers(entry.bytes) });
    case 'process':
      return JSON.stringify({ ...place, from: entry.from, what: entry.what });
    case 'bench':
      return JSON.stringify({ ...place, what: entry.what });
  }
};

const malformedMembers = (line: AcpEntry['line']) => {
  const { fault, bytes, carriageReturn, continues, detail } = line as MalformedLine;
  return {
    cr: carriageReturn || undefined,
    malformed: fault,
    detail,
    continues,
    ...bytesMembers(bytes),
  };
};

const bytesMembers = (bytes: Uint8Array): { text: string } | { base64: string } => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') };
};
