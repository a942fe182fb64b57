import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { parsePsLine, parseStat, processTable, tableFor } from '../../src/process/process-table.ts';
import { eventually } from './world.ts';

describe('process table', () => {
  test('the fields of /proc/<pid>/stat are found behind a name with blanks and parentheses', () => {
    // proc(5): pid, comm, state, ppid, pgrp, session, … ; starttime is field 22.
    const stat = '42 (a) R (b) S 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 20';
    assert.deepEqual(parseStat(stat), { parent: 7, session: 39, startTime: '987654', zombie: false });
    assert.equal(parseStat(stat.replace(' S 7', ' Z 7')).zombie, true);
  });

  test('a line of ps yields group, state, start and the environment behind the command', () => {
    const line = '  501   77   500 Ss   Mon Nov 30 18:11:00 2026 node agent.js HOME=/tmp/h MARK=1 LANG=C';
    const row = parsePsLine(line);
    assert.equal(row?.pid, 501);
    assert.equal(row?.parent, 77);
    assert.equal(row?.session, 500);
    assert.equal(row?.startTime, 'Mon Nov 30 18:11:00 2026');
    assert.equal(row?.zombie, false);
    assert.equal(row?.carries('MARK=1'), true);
    assert.equal(row?.carries('MARK='), false);
    assert.equal(row?.carries('ARK=1'), false);
    assert.equal(parsePsLine(line.replace('Ss ', 'Z+ '))?.zombie, true);
    assert.equal(parsePsLine('garbage'), undefined);
  });

  test('where no environment can be read, the table is empty', () => {
    assert.deepEqual(tableFor('win32').all(), []);
    assert.equal(tableFor('win32').read(process.pid), undefined);
  });

  for (const system of process.platform === 'linux' ? (['linux', 'freebsd'] as const) : [process.platform]) {
    test(`a child is found by the exact entry of its environment (way of ${system})`, async () => {
      const table = tableFor(system);
      const child = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log()'], {
        env: { PROBE: 'one', OTHER: 'x' },
        detached: true,
      });
      try {
        await once(child.stdout, 'data');
        const row = table.read(child.pid!);
        assert.equal(row?.session, child.pid);
        assert.equal(row?.zombie, false);
        assert.equal(row?.carries('PROBE=one'), true);
        assert.equal(row?.carries('PROBE=on'), false);
        assert.equal(row?.carries('ROBE=one'), false);
        assert.equal(table.all().find(each => each.pid === child.pid)?.startTime, row?.startTime);
      } finally {
        child.stdin.end();
        await once(child, 'exit');
      }
      assert.equal(table.read(child.pid!), undefined);
    });
  }

  test('a process that nobody waited for is a zombie', async () => {
    // The shell becomes the second cat, which does not know of the first. The first ends with descriptor 3.
    const script = 'cat <&3 >/dev/null & echo $!; exec cat 3<&-';
    const parent = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
    const [input, output, , childInput] = parent.stdio as unknown as [Writable, Readable, null, Writable];
    try {
      const [chunk] = (await once(output, 'data')) as [Buffer];
      const child = Number(chunk.toString());
      const echo = once(output, 'data');
      input.write('are you cat?\n');
      await echo;
      assert.equal(processTable.read(child)?.zombie, false);
      childInput.end();
      await eventually('a zombie', () => processTable.read(child)?.zombie === true);
    } finally {
      childInput.end();
      input.end();
      await once(parent, 'exit');
    }
  });
});
