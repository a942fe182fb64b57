import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProcessRow } from '../../src/process/process-table.ts';
import {
  type ProcessSystem,
  sessionMembers,
  signalSurvivor,
  survivors,
  treeBelow,
} from '../../src/process/sweep.ts';

interface Given {
  readonly pid: number;
  readonly parent?: number;
  readonly startTime?: string;
  readonly session?: number;
  readonly zombie?: boolean;
  readonly entries?: readonly string[];
}

const row = ({
  pid,
  parent = 1,
  startTime = '100',
  session = pid,
  zombie = false,
  entries = [],
}: Given): ProcessRow => ({
  pid,
  parent,
  startTime,
  session,
  zombie,
  carries: entry => entries.includes(entry),
});

/** A system of these processes; `sent` lists the signals. */
const systemOf = (...given: Given[]): ProcessSystem & { sent: [number, string][] } => {
  const rows = given.map(row);
  const sent: [number, string][] = [];
  return {
    sent,
    all: () => rows,
    read: pid => rows.find(each => each.pid === pid),
    signal: (pid, signal) => void sent.push([pid, signal]),
  };
};

const pids = (rows: readonly ProcessRow[]): number[] => rows.map(each => each.pid);
const mark = 'MARK=1';
const byMark = { entries: [mark], members: [] };

describe('sweep', () => {
  test('only what carries the mark is selected, and a zombie counts as gone', () => {
    const system = systemOf(
      { pid: 50, entries: [mark] },
      { pid: 51, entries: ['MARK=12'] },
      { pid: 52, entries: [mark], zombie: true },
    );
    assert.deepEqual(pids(survivors(byMark, system)), [50]);
  });

  test('the caller, its parent and init are never selected, whatever they carry', () => {
    const system = systemOf(
      { pid: 1, entries: [mark] },
      { pid: process.pid, entries: [mark] },
      { pid: process.ppid, entries: [mark] },
    );
    assert.deepEqual(survivors(byMark, system), []);
  });

  test('a known member is selected without a mark, but not another process with its pid', () => {
    const members = [{ pid: 60, startTime: '7' }];
    assert.deepEqual(pids(survivors({ entries: [], members }, systemOf({ pid: 60, startTime: '7' }))), [60]);
    assert.deepEqual(survivors({ entries: [], members }, systemOf({ pid: 60, startTime: '8' })), []);
  });

  test('a pid that was given away before the signal is left alone, even to another marked process', () => {
    const system = systemOf({ pid: 70, startTime: '200', entries: [mark] });
    signalSurvivor({ pid: 70, startTime: '100' }, byMark, 'SIGKILL', system);
    assert.deepEqual(system.sent, []);
    signalSurvivor({ pid: 70, startTime: '200' }, byMark, 'SIGKILL', system);
    assert.deepEqual(system.sent, [[70, 'SIGKILL']]);
  });

  test('a process that is gone, a zombie or no longer marked at the second look gets no signal', () => {
    const system = systemOf({ pid: 80, zombie: true, entries: [mark] }, { pid: 81 });
    for (const pid of [80, 81, 82]) signalSurvivor({ pid, startTime: '100' }, byMark, 'SIGKILL', system);
    assert.deepEqual(system.sent, []);
  });

  test('a signal that the system refuses is no error', () => {
    const system = systemOf({ pid: 90, entries: [mark] });
    const refusing: ProcessSystem = {
      ...system,
      signal() {
        throw new Error('EPERM');
      },
    };
    assert.doesNotThrow(() => signalSurvivor({ pid: 90, startTime: '100' }, byMark, 'SIGTERM', refusing));
  });

  test('what a process started is found over all generations, in whatever order they are listed', () => {
    const system = systemOf(
      { pid: 23, parent: 22 },
      { pid: 22, parent: 20 },
      { pid: 20, parent: 10 },
      { pid: 21, parent: 11 },
      { pid: 10 },
      { pid: 11 },
    );
    assert.deepEqual(pids(treeBelow([{ pid: 10, startTime: '100' }], system)).sort(), [20, 22, 23]);
  });

  test('another process with the number of a parent that is gone has started nothing of it', () => {
    const system = systemOf({ pid: 10, startTime: '200' }, { pid: 20, parent: 10 });
    assert.deepEqual(treeBelow([{ pid: 10, startTime: '100' }], system), []);
  });

  test("a session's members belong while its founder is there", () => {
    const system = systemOf({ pid: 10, startTime: '5' }, { pid: 11, session: 10 }, { pid: 12, session: 9 });
    assert.deepEqual(pids(sessionMembers({ pid: 10, startTime: '5' }, [], system)), [10, 11]);
  });

  test("a session whose number now belongs to another process is not the run's", () => {
    const system = systemOf({ pid: 10, startTime: '6' }, { pid: 11, session: 10 });
    assert.deepEqual(sessionMembers({ pid: 10, startTime: '5' }, [], system), []);
  });

  test('a session without its founder belongs only if one of its members carries the mark', () => {
    const marked = systemOf({ pid: 11, session: 10, entries: [mark] }, { pid: 12, session: 10 });
    assert.deepEqual(pids(sessionMembers({ pid: 10, startTime: '5' }, [mark], marked)), [11, 12]);
    const unmarked = systemOf({ pid: 11, session: 10 }, { pid: 12, session: 10 });
    assert.deepEqual(sessionMembers({ pid: 10, startTime: '5' }, [mark], unmarked), []);
  });
});
