/** The agent of a case as a program: notes where it finds itself, does what no script can, then plays its script. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runMockAgent } from '../mock-agent/index.ts';
import type { ScriptInstance } from '../script/index.ts';
import { streamPort } from '../wire/index.ts';
import type { AgentNotes, AgentPart } from './case.ts';

/** What stands in the file `agent.json` of the case's folder. */
export interface AgentOrders extends Omit<AgentPart, keyof ScriptInstance['script'] | 'mock' | 'args'> {
  readonly instance: ScriptInstance;
}

const [folder = '', ...args] = process.argv.slice(2);
const orders = JSON.parse(readFileSync(join(folder, 'agent.json'), 'utf8')) as AgentOrders;

if (orders.ignoreSigterm) {
  process.on('SIGTERM', () => {});
  // Neither the end of its input nor that of its script ends it.
  setInterval(() => {}, 60_000);
}
const child = orders.grandchild
  ? spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'inherit'] })
  : undefined;
child?.unref();

const notes: AgentNotes = {
  pid: process.pid,
  ...(child?.pid !== undefined && { grandchild: child.pid }),
  cwd: process.cwd(),
  args,
  env: process.env as Record<string, string>,
  homeExists: existsSync(homedir()),
};
writeFileSync(join(folder, 'agent-notes.json'), JSON.stringify(notes));
for (const [path, text] of Object.entries(orders.writes ?? {})) writeFileSync(path, text);
if (orders.stderrBytes) process.stderr.write('x'.repeat(orders.stderrBytes));

await runMockAgent(orders.instance, {
  port: streamPort({ input: process.stdout, output: process.stdin }),
  home: homedir(),
  token: 'session',
  stderr: text => void process.stderr.write(text),
  // What was written before is flushed first.
  exit: code => {
    if (!orders.ignoreSigterm) process.stdout.write('', () => process.exit(code));
  },
  stopReading: () => void process.stdin.pause(),
});
