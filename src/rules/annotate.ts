/**
 * The one fold that correlates: turns journal entries into what rules see. Each connection has its own requests, prompts
 * and facts; session ids stay known over the connections of a run.
 */

import type { ConnectionFacts } from '../catalogue/index.ts';
import type { AcpEntry, Entry } from '../journal/index.ts';
import type { Protocol, SchemaFault } from '../protocol/index.ts';
import {
  type ErrorMessage,
  isObject,
  type Json,
  type JsonObject,
  type NotificationMessage,
  type Party,
  type RequestMessage,
  type ResultMessage,
} from '../wire/index.ts';
import { createFactsGatherer, createRunFacts, type FactsGatherer } from './gather-facts.ts';
import { createRequestTable, type RequestTable } from './open-requests.ts';
import { createOpenTurns, type OpenTurns } from './open-turns.ts';
import type { OpenRequest, Seen, SeenFrame } from './seen.ts';
import { createSessionTable, making, reopening, type SessionTable } from './session-table.ts';

export interface Annotator {
  annotate(entry: Entry): Seen;
  /** Facts of each connection, in the order in which they appeared. */
  readonly connections: readonly ConnectionFacts[];
}

export interface AnnotatorSetting {
  readonly protocol: Protocol;
  readonly subject: Party;
}

export const createAnnotator = (setting: AnnotatorSetting): Annotator => {
  const sessions = createSessionTable();
  const run = createRunFacts();
  const connections = new Map<number, Connection>();
  const facts: ConnectionFacts[] = [];
  let latest: Connection | undefined;

  const connectionOf = (number: number): Connection => {
    if (latest?.number === number) return latest;
    latest = connections.get(number);
    if (!latest) {
      const gatherer = createFactsGatherer(number, setting, run);
      latest = {
        number,
        sessions,
        requests: createRequestTable(),
        turns: createOpenTurns(),
        gatherer,
        isOtherVersion: false,
        sessionId: undefined,
        kind: undefined,
        cleanModel: undefined,
      };
      connections.set(number, latest);
      facts.push(gatherer.facts);
    }
    return latest;
  };

  return {
    connections: facts,
    annotate(entry) {
      const connection = connectionOf(entry.connection);
      const { gatherer } = connection;
      if (entry.channel !== 'acp') {
        gatherer.other(entry);
        return { facts: gatherer.facts, entry };
      }
      const seen = frame(entry, connection, setting.protocol);
      gatherer.frame(seen);
      return seen;
    },
  };
};

interface Connection {
  readonly number: number;
  readonly sessions: SessionTable;
  readonly requests: RequestTable;
  readonly turns: OpenTurns;
  readonly gatherer: FactsGatherer;
  /** The last initialize result has another version than 1. */
  isOtherVersion: boolean;
  /** Of the last request or notification. */
  sessionId: string | undefined;
  kind: string | undefined;
  /** Has no faults, and so have frames that differ from it in the text of a chunk alone. */
  cleanModel: JsonObject | undefined;
}

const frame = (entry: AcpEntry, connection: Connection, protocol: Protocol): SeenFrame => {
  const message = entry.message?.type === 'invalid' ? entry.message.meant : entry.message;
  if (message === undefined) return bare(entry, connection);
  return message.type === 'request' || message.type === 'notification'
    ? call(entry, message, connection, protocol)
    : response(entry, message, connection, protocol);
};

/** A line without a reading. */
const bare = (entry: AcpEntry, { gatherer, requests, isOtherVersion }: Connection): SeenFrame => ({
  facts: gatherer.facts,
  entry,
  from: entry.from,
  message: undefined,
  method: undefined,
  request: undefined,
  answer: undefined,
  sessionId: undefined,
  standing: undefined,
  payload: undefined,
  update: undefined,
  kind: undefined,
  isOtherVersion,
  faults: noFaults,
  clash: undefined,
  open: requests.open,
  turns: noTurns,
});

const call = (
  entry: AcpEntry,
  message: RequestMessage | NotificationMessage,
  connection: Connection,
  protocol: Protocol,
): SeenFrame => {
  const { gatherer, requests, sessions, turns, number, isOtherVersion } = connection;
  const { from } = entry;
  const { method } = message;
  const payload = isObject(message.params) ? message.params : undefined;
  // The same string as before where the text is the same: whoever compares it or looks it up is done at once.
  if (connection.sessionId !== payload?.sessionId) connection.sessionId = sessionIdIn(payload);
  const { sessionId } = connection;
  const standing = sessionId === undefined ? undefined : sessions.standing(sessionId, number, requests.open);
  let clash: OpenRequest | undefined;
  if (message.type === 'request') {
    const request = { seq: entry.seq, t: entry.t, method, params: payload, id: message.id, from, sessionId };
    clash = requests.ask(request);
    if (method === 'session/prompt') turns.begin(request);
  }
  const inner = method === 'session/update' ? payload?.update : undefined;
  const update = isObject(inner) ? inner : undefined;
  if (connection.kind !== update?.sessionUpdate) connection.kind = kindOf(update);
  return {
    facts: gatherer.facts,
    entry,
    from,
    message,
    method,
    request: undefined,
    answer: undefined,
    sessionId,
    standing,
    payload,
    update,
    kind: connection.kind,
    isOtherVersion,
    faults:
      isOtherVersion && method !== 'initialize' ? noFaults : faultsOf(entry, message, connection, protocol),
    clash,
    open: requests.open,
    turns: sessionId === undefined ? noTurns : turns.in(sessionId),
  };
};

/** No schema says anything about the text of a chunk but that it is one. */
const faultsOf = (
  { line, from }: AcpEntry,
  message: RequestMessage | NotificationMessage,
  connection: Connection,
  protocol: Protocol,
): readonly SchemaFault[] => {
  const model = line.kind === 'frame' ? line.model : undefined;
  if (model !== undefined && model === connection.cleanModel) return noFaults;
  const faults = protocol.check(from, message);
  if (model !== undefined && faults.length === 0) connection.cleanModel = model;
  return faults;
};

const response = (
  entry: AcpEntry,
  message: ResultMessage | ErrorMessage,
  connection: Connection,
  protocol: Protocol,
): SeenFrame => {
  const { gatherer, requests, sessions, turns, number } = connection;
  const { from } = entry;
  const { answer, request } = hasId(entry)
    ? requests.answer(from, message)
    : ({ answer: 'unaddressed', request: undefined } as const);
  const result: Json | undefined = message.type === 'result' && request ? message.result : undefined;
  const payload = isObject(result) ? result : undefined;
  const makes = request !== undefined && making.has(request.method);
  const sessionId = makes ? sessionIdIn(payload) : request?.sessionId;
  const standing = sessionId === undefined ? undefined : sessions.standing(sessionId, number, requests.open);
  if (result !== undefined && sessionId !== undefined && (makes || reopening.has(request?.method ?? ''))) {
    sessions.introduce(sessionId, number);
  }
  if (request?.method === 'session/prompt') turns.end(request);
  if (request?.method === 'initialize' && payload && Number.isInteger(payload.protocolVersion)) {
    connection.isOtherVersion = payload.protocolVersion !== 1;
  }
  const { isOtherVersion } = connection;
  return {
    facts: gatherer.facts,
    entry,
    from,
    message,
    method: request?.method,
    request,
    answer,
    sessionId,
    standing,
    payload,
    update: undefined,
    kind: undefined,
    isOtherVersion,
    faults: request && !isOtherVersion ? protocol.check(from, message, request.method) : noFaults,
    clash: undefined,
    open: requests.open,
    turns: sessionId === undefined ? noTurns : turns.in(sessionId),
  };
};

const sessionIdIn = (value: JsonObject | undefined): string | undefined => {
  const sessionId = value?.sessionId;
  return typeof sessionId === 'string' ? sessionId : undefined;
};

const kindOf = (update: JsonObject | undefined): string | undefined => {
  const kind = update?.sessionUpdate;
  return typeof kind === 'string' ? kind : undefined;
};

/** An answer without an id is read as one to `null`, which it is not. */
const hasId = ({ line }: AcpEntry): boolean => line.kind === 'frame' && line.value.id !== undefined;

const noFaults: readonly SchemaFault[] = Object.freeze([]);
const noTurns: readonly OpenRequest[] = Object.freeze([]);
