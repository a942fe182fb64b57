/** A scripted agent on a Port: the script, and the reference agent behind it. */
import { join } from 'node:path';
import { folderStore, referenceAgent, type SessionStore } from '../reference-agent/index.ts';
import { runScript, type ScriptInstance, type ScriptResult, standsOn } from '../script/index.ts';
import { type Clock, type Json, type Port, systemClock } from '../wire/index.ts';

export interface MockAgentOptions {
  /** Leads to the client. */
  readonly port: Port;
  readonly home: string;
  /** Where the reference agent keeps its sessions. Default: in its home, so that a next process finds them. */
  readonly store?: SessionStore;
  /** Begins every session id; give each process its own. */
  readonly token: string;
  readonly clock?: Clock;
  /** Wall clock of the agent. Default: the system's. */
  readonly now?: () => Date;
  readonly stderr: (text: string) => void;
  /** The agent wants its process to end with this code, at once. */
  readonly exit: (code: number) => void;
  readonly stopReading: () => void;
}

/** Resolves when the agent is done: its client is gone and no step is left, or it exits. */
export const runMockAgent = (instance: ScriptInstance, options: MockAgentOptions): Promise<ScriptResult> => {
  const {
    port,
    home,
    store = folderStore(join(home, '.acp-reference-agent')),
    token,
    clock = systemClock,
    now = () => new Date(),
    ...process
  } = options;
  const { script } = instance;
  const actor = referenceAgent(script.behaviour as Json | undefined, { store, token, now });
  return runScript(instance, {
    ...process,
    connect: async () => port,
    clock,
    ...(standsOn(script) === 'reference-agent' && { actor }),
    // An agent script decides nothing: its client is judged by what it sends, in its own journal.
    judge: { exercised() {}, violated() {} },
    bindings: { workspace: home, home },
    timeoutMs: mockTimeoutMs,
    note() {},
  });
};

/** A mock agent waits for its client as long as an agent would. */
const mockTimeoutMs = 600_000;
