/** Source: MCP 2025-06-18, Transports, "Streamable HTTP". */
import { type Clock, isObject, type Json, type JsonObject } from '../../wire/index.ts';
import { endLimitMs, type McpConnection, protocolVersion, shakeHands } from './connection.ts';

export interface HttpServer {
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

export const connectHttp = ({ url, headers }: HttpServer, clock: Clock): McpConnection => {
  const ending = new AbortController();
  let sessionId: string | undefined;
  let lastId = 0;

  const call = (method: 'POST' | 'DELETE', signal: AbortSignal, frame?: JsonObject): Promise<Response> =>
    fetch(url, {
      method,
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
        ...(lastId > 1 && { 'mcp-protocol-version': protocolVersion }),
        ...(frame && { 'content-type': 'application/json' }),
      },
      ...(frame && { body: JSON.stringify({ jsonrpc: '2.0', ...frame }) }),
      signal,
    });

  const settled = shakeHands(
    {
      async request(method, params = {}) {
        const id = ++lastId;
        const response = await call('POST', ending.signal, { id, method, params });
        sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
        return answerIn(response, id);
      },
      notify: async method => (await call('POST', ending.signal, { method })).body?.cancel(),
    },
    clock,
  );

  return {
    settled,
    async close() {
      ending.abort();
      if (sessionId === undefined) return;
      const limit = new AbortController();
      const timer = clock.timer(endLimitMs, () => limit.abort());
      await call('DELETE', limit.signal)
        .then(response => response.body?.cancel())
        .catch(() => {});
      timer.cancel();
    },
  };
};

/** The result for `id`, from a body that is either one message or a stream of events. */
const answerIn = async (response: Response, id: number): Promise<Json> => {
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream) return resultOf((await response.json()) as Json);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const answer = eventsIn(text).find(message => isObject(message) && message.id === id);
    if (answer !== undefined) return resultOf(answer);
  }
  throw new Error('the stream ended without an answer');
};

/** The messages of the events that are complete; an event ends with an empty line. */
const eventsIn = (text: string): Json[] =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .slice(0, -1)
    .flatMap(event => {
      const data = event
        .split('\n')
        .flatMap(line => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
      return data.length > 0 ? [JSON.parse(data.join('\n'))] : [];
    });

const resultOf = (message: Json): Json => {
  if (isObject(message) && message.result !== undefined) return message.result;
  throw new Error('the server answered with an error');
};
