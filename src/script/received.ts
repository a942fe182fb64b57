/** What a counterparty did, as the matcher and the mailbox see it. */
import type { Json, JsonObject, Line, MalformedLine, Message } from '../wire/index.ts';

/** A request that went over the connection, in either direction. */
export interface SentRequest {
  readonly by: Requester;
  readonly frame: JsonObject;
  readonly method: string | undefined;
  readonly session: string | undefined;
  /** The first response to it. */
  response?: ReceivedFrame;
  /** Journal sequence of the request. */
  seq?: number;
  /** Frames of its session that came since it was sent. */
  frames: number;
}

export type Requester = 'script' | 'actor' | 'counterparty';

export interface ReceivedFrame {
  readonly kind: 'frame';
  readonly order: number;
  readonly seq: number | undefined;
  readonly frame: JsonObject;
  readonly message: Message;
  /** For a response: the request that it answers. */
  readonly request: SentRequest | undefined;
  readonly session: string | undefined;
  /** As it was received; absent for a frame on its way out. */
  readonly line?: Line;
}

export type Received =
  | ReceivedFrame
  | {
      readonly kind: 'malformed';
      readonly order: number;
      readonly seq: number | undefined;
      readonly line: MalformedLine;
    }
  | { readonly kind: 'eof'; readonly order: number; readonly seq?: undefined }
  | {
      readonly kind: 'exit';
      readonly order: number;
      readonly seq?: undefined;
      readonly code: number | null;
      readonly signal: string | null;
    };

/** What `as` saves, and what a report shows. */
export const asValue = (item: Received): Json => {
  if (item.kind === 'frame') return item.frame;
  if (item.kind === 'malformed') {
    const { bytes } = item.line;
    const text = Buffer.from(bytes.subarray(0, 2048)).toString('utf8') + (bytes.length > 2048 ? '…' : '');
    return { event: 'malformed', fault: item.line.fault, text };
  }
  if (item.kind === 'exit') return { event: 'exit', code: item.code, signal: item.signal };
  return { event: 'eof' };
};

export const isRequest = (item: Received): item is ReceivedFrame =>
  item.kind === 'frame' && meantBy(item.message)?.type === 'request';

export const isResponse = (item: Received): item is ReceivedFrame => {
  const type = item.kind === 'frame' ? meantBy(item.message)?.type : undefined;
  return type === 'result' || type === 'error';
};

/** The message, or the best reading of an invalid one. */
export const meantBy = (message: Message) => (message.type === 'invalid' ? message.meant : message);
