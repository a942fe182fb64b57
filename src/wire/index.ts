export type { Actor, ActorFactory, ActorHost } from './actor.ts';
export { type ConnectedActor, connectActor } from './actor-connection.ts';
export type { Answer, Response } from './correlation.ts';
export { encodeFrame } from './encode-frame.ts';
export { createEndpoint, type Endpoint, type EndpointHandlers, type Stray } from './endpoint.ts';
export { readMessage } from './envelope.ts';
export { createEventQueue } from './event-queue.ts';
export { createFramer, type Framer, type FramerOptions } from './framer.ts';
export { methodNotFound, type RequestHandler } from './incoming.ts';
export { isObject, type Json, type JsonObject, valueAt } from './json.ts';
export type { Frame, Line, LineFault, MalformedLine } from './line.ts';
export {
  type EnvelopeFault,
  type ErrorMessage,
  type InvalidMessage,
  idKey,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResultMessage,
  type ValidMessage,
} from './message.ts';
export { otherParty, type Party } from './party.ts';
export { createPeer, type Peer, type PeerOptions } from './peer.ts';
export type { Clock, Port, PortEvent, Sender, SendMark } from './port.ts';
export { createPortPair } from './port-pair.ts';
export { ConnectionLost, errorCode, ResponseError } from './response-error.ts';
export { type StreamPortOptions, streamPort } from './stream-port.ts';
export { systemClock } from './system-clock.ts';
