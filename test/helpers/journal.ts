/** Journals in short: `exchange(['C>A {…}', 'A>C {…}', 'A>C RAW text', 'EVENT exit'])` gives the entries that a run would. */
import type { AcpEntry, Entry, ProcessEvent } from '../../src/journal/entry.ts';
import { createFramer, type JsonObject, type Line, readMessage } from '../../src/wire/index.ts';
import type { Party } from '../../src/wire/party.ts';

/**
 * Entries of a list of steps. A frame starts with its direction, `C>A ` or `A>C `, and is one JSON object; `RAW ` after it
 * means the text of a line as it stands, with escapes such as \u001b taken literally, and `RAW- ` one without its line
 * feed at the end of the output. `FAULTY ` marks a frame that a script declares faulty.
 * `EVENT ` is `start`, `eof`, `exit`, `kill` or `terminate` (signals by the bench), `input-closed`, `left-behind`,
 * `stderr text`, `restart` (a new connection from here on), or `pause` and a number of milliseconds. Other events and
 * `EXPECT ` are words for the reader. Client frames are sent by the script.
 */
export const exchange = (steps: readonly string[]): readonly Entry[] => {
  const entries: Entry[] = [];
  let connection = 1;
  let paused = 0;
  for (const step of steps) {
    if (step === 'EVENT restart') connection++;
    if (step.startsWith('EVENT pause ')) paused += Number(step.slice('EVENT pause '.length));
    const base = { seq: entries.length + 1, t: entries.length + paused, connection };
    const line = /^(?<to>C>A|A>C) (?<kind>RAW- |RAW |FAULTY )?(?<text>.*)$/s.exec(step)?.groups;
    if (line) {
      const from: Party = line.to === 'C>A' ? 'client' : 'agent';
      const faulty = line.kind === 'FAULTY ' ? ({ declaredFault: true } as const) : {};
      const sent = from === 'client' ? ({ by: 'script' } as const) : {};
      for (const each of lines(line.text ?? '', line.kind)) {
        entries.push({ ...base, seq: entries.length + 1, ...acp(from, each), ...sent, ...faulty });
      }
    } else if (step.startsWith('EVENT stderr ')) {
      const bytes = Buffer.from(step.slice('EVENT stderr '.length));
      entries.push({ ...base, channel: 'stderr', from: 'agent', bytes });
    } else {
      const what = events[step.slice('EVENT '.length)];
      if (what) entries.push({ ...base, channel: 'process', from: 'agent', what });
    }
  }
  return entries;
};

/** Entries of whole objects, for journals that are computed. */
export const frames = (list: readonly (readonly [from: Party, frame: JsonObject])[]): readonly Entry[] =>
  exchange(list.map(([from, frame]) => `${from === 'client' ? 'C>A' : 'A>C'} ${JSON.stringify(frame)}`));

const events: Readonly<Record<string, ProcessEvent>> = {
  start: { event: 'start', command: ['agent'] },
  eof: { event: 'eof' },
  exit: { event: 'exit', code: 1, signal: null },
  kill: { event: 'signal-sent', signal: 'SIGKILL' },
  terminate: { event: 'signal-sent', signal: 'SIGTERM' },
  'input-closed': { event: 'input-closed' },
  'left-behind': { event: 'left-behind', pids: [4711] },
  restart: { event: 'start', command: ['agent'] },
};

const acp = (from: Party, line: Line): Pick<AcpEntry, 'channel' | 'from' | 'line' | 'message'> => ({
  channel: 'acp',
  from,
  line,
  message: line.kind === 'frame' ? readMessage(line.value) : undefined,
});

const lines = (text: string, kind: string | undefined): readonly Line[] => {
  const found: Line[] = [];
  const framer = createFramer({ onLine: line => found.push(line) });
  const raw = kind === 'RAW ' || kind === 'RAW- ';
  framer.push(raw ? bytesOf(text) : Buffer.from(text));
  if (kind !== 'RAW- ') framer.push(Buffer.from('\n'));
  framer.end();
  return found;
};

/** `\u001b` and `\r` mean the character, `\xff` means the byte. */
const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text.split(/(\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\r)/i).map(part => {
      if (/^\\u[0-9a-f]{4}$/i.test(part))
        return Buffer.from(String.fromCharCode(Number.parseInt(part.slice(2), 16)));
      if (/^\\x[0-9a-f]{2}$/i.test(part)) return Buffer.from([Number.parseInt(part.slice(2), 16)]);
      return Buffer.from(part === '\\r' ? '\r' : part);
    }),
  );
