import type { Actor, ActorFactory } from './actor.ts';
import { encodeFrame } from './encode-frame.ts';
import { readMessage } from './envelope.ts';
import type { Clock, Port } from './port.ts';
import { systemClock } from './system-clock.ts';

export interface ConnectedActor {
  readonly actor: Actor;
  /** The code that the actor asked to exit with. Its output is closed by then. */
  readonly exited: Promise<number>;
}

/** Lets an actor live on a Port of its own, with no script before it: `port` leads to its counterparty. */
export const connectActor = (
  port: Port,
  factory: ActorFactory,
  clock: Clock = systemClock,
): ConnectedActor => {
  let resolveExited: (code: number) => void = () => {};
  const exited = new Promise<number>(resolve => {
    resolveExited = resolve;
  });
  const actor = factory({
    clock,
    send: frame => void port.send(encodeFrame(frame), { by: 'fixture' }),
    exit(code) {
      port.end();
      resolveExited(code);
    },
  });
  port.listen(event => {
    if (event.type === 'line') {
      actor.receive(event.line, event.line.kind === 'frame' ? readMessage(event.line.value) : undefined);
    }
    if (event.type === 'eof') actor.ended();
  });
  return { actor, exited };
};
