/** What went over the present connection, as far as values and matching need it: requests, sessions, introductions. */
import {
  type Frame,
  idKey,
  isObject,
  type Json,
  type JsonObject,
  type Message,
  readMessage,
} from '../wire/index.ts';
import { meantBy, type ReceivedFrame, type Requester, type SentRequest } from './received.ts';

export interface Traffic {
  /** Notes a frame that goes out. A request yields what its response is correlated with. */
  sent(frame: JsonObject, by: Requester): SentRequest | undefined;
  /** As `sent`, for a request whose bytes are written raw: of its frame perhaps only the id is known. */
  sentRequest(frame: JsonObject, by: Requester): SentRequest;
  received(line: Frame, order: number, seq: number | undefined): ReceivedFrame;
  /** A frame on its way out in the terms of the matcher: for a response, with the request that it answers. */
  outgoing(frame: JsonObject): ReceivedFrame;
  /** Result and params of the first initialize exchange. */
  agent(): Json | undefined;
  client(): Json | undefined;
  /** The initialize exchange of this connection, once it has a result. */
  introduction(): SentRequest | undefined;
  /** No request of either side is unanswered. */
  isIdle(): boolean;
  /** A prompt was sent since the script began. */
  hasPrompted(): boolean;
  /** The next script begins on the same connection. */
  next(): void;
  /** An authenticate request succeeded. */
  isAuthenticated(): boolean;
  /** `cwd` and `mcpServers` of a session; empty for one of which nothing is known. */
  session(id: string | undefined): JsonObject;
  /** A new connection: ids and introductions begin anew, sessions stay known. */
  restart(): void;
}

/** @param onScriptFrame called with each frame that the script itself sends */
export const createTraffic = (onScriptFrame: (frame: JsonObject) => void = () => {}): Traffic => {
  const sessions = new Map<string, JsonObject>();
  let now = emptyConnection();
  let hasPrompted = false;

  const begin = (requests: Map<string, SentRequest>, frame: JsonObject, by: Requester): SentRequest => {
    const request: SentRequest = {
      by,
      frame,
      method: typeof frame.method === 'string' ? frame.method : undefined,
      session: sessionIn(frame.params),
      frames: 0,
    };
    requests.set(keyOf(frame), request);
    if (request.method === 'initialize') now.client ??= frame.params;
    if (request.method === 'session/prompt') hasPrompted = true;
    return request;
  };
  const conclude = (request: SentRequest, { result }: JsonObject) => {
    if (result === undefined) return;
    const { method, session, frame } = request;
    if (method === 'initialize') {
      now.agent ??= result;
      now.introduction ??= request;
    }
    if (method === 'authenticate') now.isAuthenticated = true;
    const id = session ?? sessionIn(result);
    if (id !== undefined && introducing.has(method ?? '')) {
      const { cwd = null, mcpServers = [] } = isObject(frame.params) ? frame.params : {};
      sessions.set(id, { cwd, mcpServers });
    }
  };
  const sentRequest = (frame: JsonObject, by: Requester): SentRequest => {
    const request = begin(now.ours, frame, by);
    now.unanswered.add(request);
    if (by === 'script') onScriptFrame(frame);
    return request;
  };

  return {
    sentRequest,
    sent(frame, by) {
      const type = typeOf(readMessage(frame));
      if (type === 'request') return sentRequest(frame, by);
      if (by === 'script') onScriptFrame(frame);
      const request = isAnswer(type) ? now.theirs.get(keyOf(frame)) : undefined;
      if (request) {
        now.asked.delete(request);
        conclude(request, frame);
      }
      return undefined;
    },
    received(line, order, seq) {
      const frame = line.value;
      const message = readMessage(frame);
      const type = typeOf(message);
      if (type === 'request') now.asked.add(begin(now.theirs, frame, 'counterparty'));
      const request = isAnswer(type) ? now.ours.get(keyOf(frame)) : undefined;
      const session = request?.session ?? sessionIn(frame.params) ?? sessionIn(frame.result);
      const item: ReceivedFrame = { kind: 'frame', order, seq, frame, message, request, session, line };
      if (request && !request.response) {
        request.response = item;
        now.unanswered.delete(request);
        conclude(request, frame);
      }
      if (!request) {
        for (const open of now.unanswered) {
          if (open.session === undefined || open.session === session) open.frames += 1;
        }
      }
      return item;
    },
    outgoing(frame) {
      const message = readMessage(frame);
      const request = isAnswer(typeOf(message)) ? now.theirs.get(keyOf(frame)) : undefined;
      const session = request?.session ?? sessionIn(frame.params) ?? sessionIn(frame.result);
      return { kind: 'frame', order: 0, seq: undefined, frame, message, request, session };
    },
    agent: () => now.agent,
    client: () => now.client,
    introduction: () => now.introduction,
    isIdle: () => now.unanswered.size === 0 && now.asked.size === 0,
    hasPrompted: () => hasPrompted,
    next() {
      hasPrompted = false;
    },
    isAuthenticated: () => now.isAuthenticated,
    session: id => (id === undefined ? {} : (sessions.get(id) ?? {})),
    restart() {
      now = emptyConnection();
    },
  };
};

interface Connection {
  /** Requests by the key of their id, answered ones too, so that a second answer is still known as one. */
  readonly ours: Map<string, SentRequest>;
  readonly theirs: Map<string, SentRequest>;
  /** Of ours. */
  readonly unanswered: Set<SentRequest>;
  /** Of theirs, not answered yet. */
  readonly asked: Set<SentRequest>;
  introduction?: SentRequest;
  agent?: Json | undefined;
  client?: Json | undefined;
  isAuthenticated: boolean;
}

const emptyConnection = (): Connection => ({
  ours: new Map(),
  theirs: new Map(),
  unanswered: new Set(),
  asked: new Set(),
  isAuthenticated: false,
});

/** Requests whose params say where a session lives. */
const introducing: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume']);

const typeOf = (message: Message) => meantBy(message)?.type;

const isAnswer = (type: ReturnType<typeof typeOf>) => type === 'result' || type === 'error';

const keyOf = ({ id }: JsonObject): string =>
  typeof id === 'string' || typeof id === 'number' ? idKey(id) : 'null';

const sessionIn = (value: Json | undefined): string | undefined =>
  isObject(value) && typeof value.sessionId === 'string' ? value.sessionId : undefined;
