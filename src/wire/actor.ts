/**
 * An Actor is a whole counterparty that lives in this process: the reference agent, the fixture client. It stands
 * behind a script, which hands it every line that the script itself does not take.
 */
import type { JsonObject } from './json.ts';
import type { Line } from './line.ts';
import type { Message } from './message.ts';
import type { Clock } from './port.ts';

export interface Actor {
  /** A line from the counterparty; `message` is its envelope, absent for a malformed line. Must not throw. */
  receive(line: Line, message: Message | undefined): void;
  /** A frame that the script before the actor sent on the same connection, so that the actor knows what was promised. */
  sent?(frame: JsonObject): void;
  /** The counterparty's output ended; no further line comes. */
  ended(): void;
  /** Frees what the actor holds (timers, child processes). Resolves when nothing is left. */
  dispose(): Promise<void>;
}

export interface ActorHost {
  readonly clock: Clock;
  /** Sends one frame to the counterparty, in call order. */
  send(frame: JsonObject): void;
  /** The actor is done and wants its process to end with this code. */
  exit(code: number): void;
}

export type ActorFactory = (host: ActorHost) => Actor;
