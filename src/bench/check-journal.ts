/** What every journal of `certify` is like, whatever the agent did: a journal that is not was changed afterwards. */
import type { AcpEntry, Entry, JournalHeader } from '../journal/index.ts';
import type { Report } from '../report/index.ts';
import type { ScriptInstance } from '../script/index.ts';
import type { Differ } from './difference.ts';

export const checkHeader = (
  file: string,
  { script, subject, bench }: JournalHeader,
  instance: ScriptInstance,
  { header }: Report,
  differ: Differ,
): void => {
  if (script?.id !== instance.id) differ(file, `it is a journal of ${script?.id ?? 'no scenario'}`);
  if (script && script.digest !== instance.digest)
    differ(instance.id, 'the script has changed since it was run');
  if (subject !== header.subject) differ(file, `it judges the ${subject}, the report the ${header.subject}`);
  if (bench !== header.tool) differ(file, `bench ${bench} wrote it, bench ${header.tool} the report`);
};

/** Times go forward, frames carry the mark of who sent them, and each process is there from its start to its end. */
export const checkEntries = (
  file: string,
  entries: Iterable<Entry>,
  { header: { subject } }: Report,
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
    if (entry.what.event === 'start') running.add(entry.connection);
    if (entry.what.event === 'exit') running.delete(entry.connection);
  }
  for (const connection of running)
    differ(file, `it ends before process ${connection} does: entries are missing`);
};

const isMarkedRight = (
  { from, by, declaredFault }: AcpEntry,
  subject: Report['header']['subject'],
): boolean => (from === subject ? by === undefined && !declaredFault : by === 'script' || by === 'fixture');
