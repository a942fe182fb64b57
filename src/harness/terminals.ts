/** Terminals that a handler plays: what it gave is the output of a command that has ended. */
import { isObject, type Json } from '../wire/index.ts';

export interface Terminals {
  /** @param answer of the handler: a text as output, or `{output, exitCode, signal}` */
  create(answer: Json): Json;
  /** The answer to `terminal/output` or `terminal/wait_for_exit`; undefined for a terminal that is not there. */
  show(method: 'terminal/output' | 'terminal/wait_for_exit', id: Json | undefined): Json | undefined;
  /** The answer to `terminal/release` or `terminal/kill`, which always succeed. */
  release(method: 'terminal/release' | 'terminal/kill', id: Json | undefined): Json;
}

interface Ended {
  readonly output: string;
  readonly exitStatus: { readonly exitCode: number | null; readonly signal: string | null };
}

export const createTerminals = (): Terminals => {
  const terminals = new Map<Json | undefined, Ended>();
  let count = 0;
  return {
    create(answer) {
      count += 1;
      const terminalId = `acp-terminal-${count}`;
      terminals.set(terminalId, endedWith(answer));
      return { terminalId };
    },
    show(method, id) {
      const terminal = terminals.get(id);
      if (!terminal) return undefined;
      const { output, exitStatus } = terminal;
      return method === 'terminal/output' ? { output, truncated: false, exitStatus } : exitStatus;
    },
    release(method, id) {
      if (method === 'terminal/release') terminals.delete(id);
      return {};
    },
  };
};

const endedWith = (answer: Json): Ended => {
  const { output = '', exitCode = 0, signal = null } = isObject(answer) ? answer : { output: answer };
  return {
    output: typeof output === 'string' ? output : '',
    exitStatus: {
      // The protocol knows no negative exit code.
      exitCode: typeof exitCode === 'number' && Number.isInteger(exitCode) && exitCode >= 0 ? exitCode : null,
      signal: typeof signal === 'string' ? signal : null,
    },
  };
};
