/** The folder of one case: what its agent is told, what it noted, the workspace that it is given. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { benchVersion, compiled } from '../base/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import type { AgentOrders } from './agent.ts';
import type { AgentNotes } from './case.ts';

export interface CaseFolder {
  readonly path: string;
  readonly workspace: string;
  /** Members of a manifest that starts the case's agent. */
  launch(
    orders: AgentOrders,
    args: readonly string[],
  ): { readonly command: string; readonly args: readonly string[] };
  write(path: string, text: string): void;
  /** Undefined when no agent was started. */
  notes(): AgentNotes | undefined;
  /** Path -> text of what stands in the workspace now; nothing when it is gone. */
  workspaceFiles(): Readonly<Record<string, string>>;
  /** The value with the placeholders of the case's texts replaced. */
  filled<T>(value: T): T;
  remove(): void;
}

export const createCaseFolder = (): CaseFolder => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'acp-testbench-case-')));
  const workspace = join(path, 'workspace');
  mkdirSync(workspace);
  const notesFile = join(path, 'agent-notes.json');
  const values: Readonly<Record<string, string>> = {
    folder: path,
    workspace,
    node: process.execPath,
    version: benchVersion(),
  };
  return {
    path,
    workspace,
    launch(orders, args) {
      writeFileSync(join(path, 'agent.json'), JSON.stringify(orders));
      return { command: process.execPath, args: [compiled('regress/agent.js'), path, ...args] };
    },
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    notes: () =>
      existsSync(notesFile) ? (JSON.parse(readFileSync(notesFile, 'utf8')) as AgentNotes) : undefined,
    workspaceFiles: () =>
      Object.fromEntries(
        (existsSync(workspace) ? readdirSync(workspace) : []).map(name => [
          name,
          readFileSync(join(workspace, name), 'utf8'),
        ]),
      ),
    filled: value => filled(value as Json, values) as typeof value,
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }),
  };
};

const filled = (value: Json, values: Readonly<Record<string, string>>): Json => {
  if (typeof value === 'string')
    return value.replaceAll(/%([a-z]+)%/g, (whole, name: string) => values[name] ?? whole);
  if (Array.isArray(value)) return value.map(item => filled(item, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member!, values)]));
};
