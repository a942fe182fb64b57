/** What npm or uv wrote when it could not install: the one line that tells, and whether trying again is in vain. */
import { stripVTControlCharacters } from 'node:util';
import type { RunnerKind } from './package-runner.ts';

export interface RunnerComplaint {
  /** One line; empty when it said nothing. */
  readonly text: string;
  /** There is no such package, no such version, no right to it: not a matter of the network or of a cache. */
  readonly isFinal: boolean;
}

export const complaintIn = (kind: RunnerKind, stderr: string): RunnerComplaint => {
  const lines = stripVTControlCharacters(stderr)
    .split('\n')
    .map(line => line.trim());
  const { text, isFinal } = (kind === 'npx' ? npmComplaint : uvComplaint)(lines) ?? {
    text: lines.findLast(line => line !== '') ?? '',
    isFinal: false,
  };
  return { text: text.length > shownLength ? `${text.slice(0, shownLength)}…` : text, isFinal };
};

/** npm gives the error a code, then where it happened, then the reason, then advice and the place of its log. */
const npmComplaint = (lines: readonly string[]): RunnerComplaint | undefined => {
  const said = lines.flatMap(line => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1] ?? []);
  const code = said.map(line => /^code (\S+)$/.exec(line)?.[1]).find(found => found !== undefined);
  const text = said.find(line => !/^(code|syscall|errno|path|dest|A complete log)\b/.test(line)) ?? code;
  return text === undefined ? undefined : { text, isFinal: code !== undefined && !networkCodes.has(code) };
};

/** uv draws what it concludes as a tree of one branch, wrapped, and adds hints as paragraphs of their own. */
const uvComplaint = (lines: readonly string[]): RunnerComplaint | undefined => {
  const start = lines.findIndex(line => line.startsWith('╰─▶'));
  if (start === -1) return undefined;
  const end = lines.indexOf('', start);
  const text = lines.slice(start, end === -1 ? undefined : end).join(' ');
  const all = lines.join(' ');
  return {
    text: text.slice('╰─▶'.length).trim(),
    isFinal: /No solution found/.test(all) && !/network (is|was) disabled/i.test(all),
  };
};

const networkCodes: ReadonlySet<string> = new Set([
  'ENOTCACHED',
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'],
  ...['EIDLETIMEOUT', 'ERESPONSETIMEOUT', 'ECONNECTIONTIMEOUT', 'ERR_SOCKET_TIMEOUT'],
]);

const shownLength = 300;
