/** What every journal of `certify` is like, whatever the agent did: a journal that is not was changed afterwards. */
import type { AcpEntry, Entry, JournalHeader } from '../journal/index.ts';
import type { Report } from '../report/index.ts';
import type { ScriptInstance } from '../script/index.ts';
import type { Differ } from './difference.ts';

export const checkHeader = (
  file: string,
  { scripts = [], subject, bench }: JournalHeader,
  instance: ScriptInstance,
  { header }: Report,
  differ: Differ,
): void => {
  const script = scripts.find(({ id }) => id === instance.id);
  if (!script) differ(file, `it is a journal of ${scripts.map(({ id }) => id).join(', ') || 'no scenario'}`);
  if (script && script.digest !== instance.digest)
    differ(instance.id, 'the script has changed since it was run');
  if (subject !== header.subject) differ(file, `it judges the ${subject}, the report the ${header.subject}`);
  if (bench !== header.tool) differ(file, `bench ${bench} wrote it, bench ${header.tool} the report`);
};

/** Times go forward, frames carry the mark of who sent them, and the program of the report is there from start to end. */
export const checkEntries = (
  file: string,
  entries: Iterable<Entry>,
  { header: { subject, command } }: Report,
  differ: Differ,
): void => {
  let time = Number.NEGATIVE_INFINITY;
  const running = new Set<number>();
  for (const entry of entries) {
    if (entry.t < time) differ(file, `#${entry.seq}: it is earlier than the entry before it`);
    time = entry.t;
    if (entry.channel === 'acp' && !isMarkedRight(entry, subject))
      differ(file, `#${entry.seq}: its mark says that ${entry.by ?? 'the agent'} sent it`);
    if (entry.channel !== 'process') continue;
    if (entry.what.event === 'start') {
      running.add(entry.connection);
      if (!isStartOf(command, entry.what.command))
        differ(file, `#${entry.seq}: it is of another program: ${entry.what.command.join(' ')}`);
    }
    if (entry.what.event === 'exit') running.delete(entry.connection);
  }
  for (const connection of running)
    differ(file, `it ends before process ${connection} does: entries are missing`);
};

/** What was started has the program's path in place of its name; a runner that is asked for a program has none of it. */
const isStartOf = ([program = '', ...args]: readonly string[], started: readonly string[]): boolean => {
  if (/^(npx|uvx)(\.\w+)?$/.test(nameOf(program))) return true;
  const before = started.slice(0, started.length - args.length);
  return (
    before.some(word => nameOf(word) === nameOf(program)) &&
    args.every((arg, index) => arg === started[before.length + index])
  );
};

/** Without folders, and without the ending that Windows adds. */
const nameOf = (path: string): string => path.replace(/^.*[\\/]/, '').replace(/\.(com|exe|bat|cmd)$/i, '');

const isMarkedRight = (
  { from, by, declaredFault }: AcpEntry,
  subject: Report['header']['subject'],
): boolean => (from === subject ? by === undefined && !declaredFault : by === 'script' || by === 'fixture');
