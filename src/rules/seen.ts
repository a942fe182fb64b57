/** A journal entry as rules see it: with the correlation that one entry alone cannot show. */
import type { AcpEntry, Entry, Party } from '../journal/entry.ts';
import type { JsonObject } from '../wire/json.ts';
import type { ValidMessage } from '../wire/message.ts';
import type { ConnectionFacts } from './facts.ts';

/** The request that a response answers. */
export interface AnsweredRequest {
  readonly seq: number;
  readonly t: number;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

interface SeenBase {
  /** What the connection is known to be at this point: capabilities, version, sessions. */
  readonly facts: ConnectionFacts;
}

export interface SeenFrame extends SeenBase {
  readonly entry: AcpEntry;
  readonly from: Party;
  /** The message, or the best reading of an invalid one; undefined where there is none. */
  readonly message: ValidMessage | undefined;
  /** Method of a request or notification, and for a response that of its request. */
  readonly method: string | undefined;
  /** For a response: the request that it answers. */
  readonly request: AnsweredRequest | undefined;
  /** For a response: `first` answers an open request; the others do not. A null-id error is `unaddressed`. */
  readonly answer: 'first' | 'duplicate' | 'unsolicited' | 'unaddressed' | undefined;
  /** `params.sessionId`, for a response that of its request, or the one that a session/new result introduces. */
  readonly sessionId: string | undefined;
}

export interface SeenOther extends SeenBase {
  readonly entry: Exclude<Entry, AcpEntry>;
}

export type Seen = SeenFrame | SeenOther;

export const isFrame = (seen: Seen): seen is SeenFrame => seen.entry.channel === 'acp';
