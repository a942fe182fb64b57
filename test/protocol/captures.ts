/** Recorded exchanges with real agents: one JSON object per line, `from` and `frame`, or `raw` for what is no frame. */
import { readdirSync, readFileSync } from 'node:fs';
import { type JsonObject, readMessage, type ValidMessage } from '../../src/wire/index.ts';
import type { Party } from '../../src/wire/party.ts';

export interface CapturedMessage {
  readonly file: string;
  readonly line: number;
  readonly from: Party;
  readonly message: ValidMessage;
  /** Method of a request or notification, and for a response that of its request. */
  readonly method: string | undefined;
}

/** All messages of all captures in a folder, each with its method. */
export const capturedMessages = (folder: string): CapturedMessage[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.jsonl'))
    .flatMap(file => messagesOf(`${folder}/${file}`, file));

const messagesOf = (path: string, file: string): CapturedMessage[] => {
  const asked = new Map<string, string>();
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((text, index) => {
      const { from, frame } = JSON.parse(text) as { from: Party; frame?: JsonObject };
      const read = frame && readMessage(frame);
      const message = read?.type === 'invalid' ? read.meant : read;
      if (!message) return [];
      if (message.type === 'request') asked.set(`${from} ${JSON.stringify(message.id)}`, message.method);
      const method =
        'method' in message
          ? message.method
          : asked.get(`${from === 'agent' ? 'client' : 'agent'} ${JSON.stringify(message.id)}`);
      return [{ file, line: index + 1, from, message, method }];
    });
};
