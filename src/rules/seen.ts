/** A journal entry as rules see it: with the correlation that one entry alone cannot show. */

import type { ConnectionFacts } from '../catalogue/index.ts';
import type { AcpEntry, Entry } from '../journal/index.ts';
import type { SchemaFault } from '../protocol/index.ts';
import type { JsonObject, Party, RequestId, ValidMessage } from '../wire/index.ts';

/** The request that a response answers. */
export interface AnsweredRequest {
  readonly seq: number;
  readonly t: number;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** A request that has no answer yet. */
export interface OpenRequest extends AnsweredRequest {
  readonly id: RequestId;
  readonly from: Party;
  readonly sessionId: string | undefined;
}

/** Open requests by `idKey`, of each sender. A live view: it is right only during the step that got it. */
export type OpenRequests = Readonly<Record<Party, ReadonlyMap<string, OpenRequest>>>;

/**
 * What the connection knows of a session id before the frame: `open` was introduced by a new, load, resume or fork
 * result; `opening` is named by a load or resume in flight; `perhaps` may be the result of a new or fork in flight;
 * `earlier` was introduced on an earlier connection of the run; `unknown` by none.
 */
export type SessionStanding = 'open' | 'opening' | 'perhaps' | 'earlier' | 'unknown';

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
  /** Standing of `sessionId`; undefined without one. */
  readonly standing: SessionStanding | undefined;
  /** `params` of a request or notification, `result` of a first answer, where that is an object. */
  readonly payload: JsonObject | undefined;
  /** `params.update` of a session/update. */
  readonly update: JsonObject | undefined;
  /** `sessionUpdate` of `update`. */
  readonly kind: string | undefined;
  /** The frame comes after, or is, an initialize result with another version than 1. */
  readonly isOtherVersion: boolean;
  /** Faults of the message by schema and text; none where another version was agreed. */
  readonly faults: readonly SchemaFault[];
  /** For a request: the request of the same sender and id that is still open. */
  readonly clash: OpenRequest | undefined;
  /** Requests that are open, the one that this frame makes included, the one that it answers not. */
  readonly open: OpenRequests;
  /** Prompts that are open in this session, oldest first; of the same frame as in `open`. */
  readonly turns: readonly OpenRequest[];
}

export interface SeenOther extends SeenBase {
  readonly entry: Exclude<Entry, AcpEntry>;
}

export type Seen = SeenFrame | SeenOther;

export const isFrame = (seen: Seen): seen is SeenFrame => seen.entry.channel === 'acp';
