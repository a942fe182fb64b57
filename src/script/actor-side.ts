/** The actor behind a script: gets what the script leaves, and sends through the script's mutations. */
import { type Actor, encodeFrame, type JsonObject } from '../wire/index.ts';
import type { ScriptHost } from './host.ts';
import type { Edited, Mutator } from './mutate.ts';
import type { Outbox } from './outbox.ts';
import type { Received } from './received.ts';
import type { Scheduler } from './scheduler.ts';
import type { Traffic } from './traffic.ts';

export interface ActorSide {
  /** A line, or the end of output, that the script leaves. */
  receive(item: Received): void;
  /** The script sent this frame on the connection that they share. */
  scriptSent(frame: JsonObject): void;
  /** The counterparty sent this, whoever gets it. */
  notice(item: Received): void;
  /** Lets frames go that were held back until the counterparty sent this. */
  release(item: Received): void;
  /** Will say itself when it is done. */
  isAlive(): boolean;
  /** Nothing it sends counts any more. */
  dispose(): Promise<void>;
}

export interface ActorSideOptions {
  readonly host: ScriptHost;
  readonly mutator: Mutator;
  readonly outbox: Outbox;
  readonly traffic: Traffic;
  readonly scheduler: Scheduler;
  /** So many bytes were written. */
  counted(bytes: number): void;
  exited(code: number): void;
}

export const createActorSide = (options: ActorSideOptions): ActorSide => {
  const { host, mutator, outbox, traffic, scheduler } = options;
  let isGone = false;

  const write = (edited: readonly Edited[]): void => {
    for (const { frame, isEdited } of edited) {
      // An edited frame may be faulty, and that is then the point of it.
      const mark = { by: 'fixture' as const, ...(isEdited && { declaredFault: true as const }) };
      // It counts from where the journal has it, so that a replay sees it there too.
      const line = encodeFrame(frame);
      outbox.writeLine(line, mark, () => {
        options.counted(line.length);
        scheduler.input(() => void traffic.sent(frame, 'actor'));
      });
    }
  };
  const actor: Actor | undefined = host.actor?.({
    clock: host.clock,
    send(frame) {
      if (!isGone) write(mutator.sent(traffic.outgoing(frame)));
    },
    exit(code) {
      if (!isGone) scheduler.input(() => options.exited(code));
    },
  });

  return {
    receive(item) {
      if (item.kind === 'eof') actor?.ended();
      else if (item.kind === 'frame' && item.line) actor?.receive(item.line, item.message);
      else if (item.kind === 'malformed') actor?.receive(item.line, undefined);
    },
    scriptSent: frame => actor?.sent?.(frame),
    notice: mutator.noticed,
    release: item => write(mutator.received(item)),
    isAlive: () => actor !== undefined && !isGone,
    async dispose() {
      isGone = true;
      await actor?.dispose();
    },
  };
};
