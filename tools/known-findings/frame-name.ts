/** Names a frame by method, member and type of value: nothing of what somebody wrote in it. */
import { pointerNames } from '../../src/base/index.ts';
import type { Evidence } from '../../src/catalogue/index.ts';
import type { AcpEntry, Entry } from '../../src/journal/index.ts';
import { isObject, type Json, type ValidMessage } from '../../src/wire/index.ts';

/** Such as `` `session/update` (`tool_call`), `/params/update/toolCallId` (string) ``. */
export const frameName = (
  entries: readonly Entry[],
  { seq, after, ended, timedOut, pointer }: Omit<Evidence, 'message'>,
): string => {
  const entry = entryAt(entries, seq);
  if (!entry) {
    const waited = entryAt(entries, after);
    const what = ended ? 'the process ends' : timedOut ? 'silence' : 'nothing';
    return waited ? `${what} in place of an answer to ${callName(messageOf(waited))}` : what;
  }
  const { line } = entry;
  if (line.kind !== 'frame') return `a line that is no message (${line.fault})`;
  return `${nameOf(entry, entries)}${pointer ? `, ${memberName(line.value, pointer)}` : ''}`;
};

const entryAt = (entries: readonly Entry[], seq: number | undefined): AcpEntry | undefined => {
  const entry = entries.find(each => each.seq === seq);
  return entry?.channel === 'acp' ? entry : undefined;
};

const messageOf = ({ message }: AcpEntry): ValidMessage | undefined =>
  message?.type === 'invalid' ? message.meant : message;

const nameOf = (entry: AcpEntry, entries: readonly Entry[]): string => {
  const message = messageOf(entry);
  if (message?.type !== 'result' && message?.type !== 'error') return callName(message);
  const asked = entries
    .filter((each): each is AcpEntry => each.channel === 'acp' && each.seq < entry.seq)
    .filter(each => each.from !== entry.from && each.connection === entry.connection)
    .map(messageOf)
    .findLast(each => each?.type === 'request' && each.id !== null && each.id === message.id);
  const what = message.type === 'result' ? 'result' : `error ${message.error.code}`;
  return asked ? `${what} of ${callName(asked)}` : `${what} that answers no request`;
};

const callName = (message: ValidMessage | undefined): string => {
  if (message?.type !== 'request' && message?.type !== 'notification') return 'a frame';
  const { method, params } = message;
  const update = isObject(params) && isObject(params.update) ? params.update.sessionUpdate : undefined;
  return `\`${method}\`${typeof update === 'string' ? ` (\`${update}\`)` : ''}`;
};

/** The place without the indices of lists, which say nothing to a reader. */
const memberName = (frame: Json, pointer: string): string => {
  let value: Json | undefined = frame;
  for (const name of pointerNames(pointer))
    value = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
  return `\`${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}\` (${typeName(value)})`;
};

const typeName = (value: Json | undefined): string => {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};
