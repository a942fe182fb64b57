/** Runs a reference client against an agent on a Port, and keeps what it sent. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProtocol } from '../../src/protocol/index.ts';
import {
  type ReferenceClientOptions,
  referenceClient,
  type Task,
  type TaskOutcome,
} from '../../src/reference-client/index.ts';
import {
  connectActor,
  createPeer,
  createPortPair,
  isObject,
  type JsonObject,
  type Peer,
  type Port,
  type RequestHandler,
  ResponseError,
  readMessage,
} from '../../src/wire/index.ts';

export interface ClientRun {
  readonly exitCode: number;
  readonly outcomes: readonly TaskOutcome[];
  /** Frames of the client in order. */
  readonly sent: readonly JsonObject[];
  readonly workspace: string;
}

export type ClientSetting = Omit<ReferenceClientOptions, 'workspace' | 'tasks'>;

export const runClient = async (
  port: Port,
  tasks: readonly Task[],
  setting: ClientSetting = {},
): Promise<ClientRun> => {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'reference-client-')));
  const outcomes: TaskOutcome[] = [];
  const sent: JsonObject[] = [];
  const watched: Port = {
    ...port,
    send(bytes, mark) {
      sent.push(JSON.parse(Buffer.from(bytes).toString()));
      return port.send(bytes, mark);
    },
  };
  const client = connectActor(
    watched,
    referenceClient({ workspace, tasks, onOutcome: outcome => outcomes.push(outcome), ...setting }),
  );
  const exitCode = await client.exited;
  await client.actor.dispose();
  await rm(workspace, { recursive: true });
  return { exitCode, outcomes, sent, workspace };
};

export interface AgentScript {
  /** By method: the result, or what gives it. Anything else is refused with -32601. */
  readonly [method: string]:
    | JsonObject
    | ((params: JsonObject, agent: Peer) => JsonObject | Promise<JsonObject>);
}

/** Runs a client against an agent that answers as the script says. */
export const withAgent = async (
  script: AgentScript,
  tasks: readonly Task[],
  setting?: ClientSetting,
): Promise<ClientRun> => {
  const [own, other] = createPortPair();
  const serve: RequestHandler = async ({ method, params }) => {
    const answer = script[method];
    if (answer === undefined) throw new ResponseError(-32601, `no ${method}`);
    return typeof answer === 'function' ? answer(isObject(params) ? params : {}, agent) : answer;
  };
  const agent: Peer = createPeer(other, {
    onRequest: serve,
    onNotification: ({ method, params }) => {
      const note = script[method];
      if (typeof note === 'function') void note(isObject(params) ? params : {}, agent);
    },
    onEvent: event => event.type === 'eof' && agent.end(),
  });
  return runClient(own, tasks, setting);
};

/** Methods of the client's requests and notifications, in order. */
export const methodsOf = ({ sent }: ClientRun): unknown[] =>
  sent.flatMap(({ method }) => (method ? [method] : []));

export const paramsOf = ({ sent }: ClientRun, method: string): JsonObject[] =>
  sent.filter(frame => frame.method === method).map(({ params }) => params as JsonObject);

/** Each frame that the client sent fits the newest schema and the text beside it. */
export const assertLawful = async ({ sent }: ClientRun): Promise<void> => {
  const protocol = await loadProtocol('latest');
  for (const frame of sent) {
    const message = readMessage(frame);
    assert.notEqual(message.type, 'invalid', JSON.stringify(frame));
    if (message.type === 'request' || message.type === 'notification') {
      assert.deepEqual(protocol.check('client', message), [], JSON.stringify(frame));
    }
  }
};
