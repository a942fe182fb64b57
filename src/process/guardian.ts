/**
 * The guardian of one run, a program of its own: `node guardian.js <run>`. Its stdin is a pipe from the bench, which
 * tells it what the run owns. When the pipe ends, for whatever reason, it ends every process of the run that is still
 * there, removes the run's temporary folder, and exits. After an orderly end it finds nothing to do.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardianNotice } from './guardian-notice.ts';
import { environmentEntry, runVariable } from './marks.ts';
import { isBelow, isOwnedFolder, removeOwnedFolder } from './owned-folder.ts';
import { type ProcessIdentity, sessionMembers, signalSurvivor, survivors, treeBelow } from './sweep.ts';

/** The agents have seen the end of their input by now; this long they may also tidy up after SIGTERM. */
const politeMs = 1000;
/** A process that even SIGKILL does not end waits for a device; nobody can help that. */
const giveUpMs = 30_000;
const pollMs = 25;

const [run = ''] = process.argv.slice(2);
const folders: string[] = [];
const homes: string[] = [];
const leaders: ProcessIdentity[] = [];

// The end of the pipe is the only thing that ends the watch: whoever stops the bench with these ends the pipe, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

createInterface({ input: process.stdin })
  .on('line', note)
  .on('close', () => void endOfRun());
process.stdin.on('error', () => {});

function note(line: string): void {
  const notice = readNotice(line);
  if (notice === undefined) return;
  if ('folder' in notice) folders.push(notice.folder);
  else if ('home' in notice) homes.push(notice.home);
  else leaders.push(notice.leader);
}

/** A bench that is killed while it writes leaves half a line. */
function readNotice(line: string): GuardianNotice | undefined {
  try {
    return JSON.parse(line) as GuardianNotice;
  } catch {
    return undefined;
  }
}

async function endOfRun(): Promise<void> {
  if (run !== '') {
    await endProcesses();
    for (const folder of folders) removeOwnedFolder(folder, run);
  }
  process.exit(0);
}

/** Two looks that find nothing end it, since a process is invisible for the moment in which it becomes another program. */
async function endProcesses(): Promise<void> {
  const entries = [
    environmentEntry(runVariable, run),
    ...ownHomes().map(home => environmentEntry('HOME', home)),
  ];
  const members = new Map<string, ProcessIdentity>();
  const asked = new Set<string>();
  const began = performance.now();
  for (let emptyLooks = 0; emptyLooks < 2 && performance.now() - began < giveUpMs; ) {
    for (const member of [
      ...treeBelow([...leaders, ...members.values()]),
      ...leaders.flatMap(leader => sessionMembers(leader, entries)),
    ])
      members.set(nameOf(member), member);
    const selection = { entries, members: [...members.values()] };
    const rows = survivors(selection);
    const isPolite = performance.now() - began < politeMs;
    for (const row of rows) {
      if (!isPolite) signalSurvivor(row, selection, 'SIGKILL');
      else if (!asked.has(nameOf(row))) signalSurvivor(row, selection, 'SIGTERM');
      asked.add(nameOf(row));
    }
    emptyLooks = rows.length === 0 ? emptyLooks + 1 : 0;
    await sleep(pollMs);
  }
}

/** Only a home inside a folder that carries the run's mark selects: no message can make it the user's own. */
function ownHomes(): string[] {
  return homes.filter(home => folders.some(folder => isBelow(home, folder) && isOwnedFolder(folder, run)));
}

function nameOf({ pid, startTime }: ProcessIdentity): string {
  return `${pid} ${startTime}`;
}
