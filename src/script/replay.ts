/**
 * Runs scripts again over the journal of an earlier run. Lines of the counterparty, frames of the actor and everything
 * that resumed the script are fed in their recorded order; each line that the script sends is compared.
 */
import type { Judge } from '../catalogue/index.ts';
import type { BenchEvent, Entry } from '../journal/index.ts';
import type { Actor, ActorHost } from '../wire/index.ts';
import type { ScriptBindings, ScriptResult } from './host.ts';
import type { ScriptInstance } from './instances.ts';
import type { SchemaTest } from './match.ts';
import { createPorts, createRecordedWakes, eventOf } from './recorded-input.ts';
import { createNotes, createSentLines, type Mismatch } from './replayed-output.ts';
import { runWith } from './run.ts';
import { endsWithSteps } from './script.ts';
import { trafficLimit } from './traffic-limit.ts';

export interface ReplayOptions {
  readonly judge: Judge;
  /** Those of the recorded run, from the journal's header. */
  readonly bindings: ScriptBindings;
  /** That of the recorded run; only texts depend on it. */
  readonly timeoutMs: number;
  /** Gets what the scripts note of themselves, as the live run does. */
  readonly note?: (event: BenchEvent) => void;
  readonly fits?: SchemaTest;
  /** That of the recorded run. */
  readonly maxTraffic?: number;
}

export interface Replay {
  /** Of the scripts that were run, in order. */
  readonly results: readonly ScriptResult[];
  /** Empty if the journal is what these scripts make of these inputs. */
  readonly mismatches: readonly Mismatch[];
}

/** At most this many are kept; after the first, the others often follow from it. */
const mismatchLimit = 20;

/**
 * Feeds what was recorded to the script and compares what it sends; nothing of the world is touched, no time passes.
 * @param recorded the whole journal, in its order
 */
export const replayScripts = async (
  instances: readonly ScriptInstance[],
  recorded: Iterable<Entry> | AsyncIterable<Entry>,
  options: ReplayOptions,
): Promise<Replay> => {
  const entries: Entry[] = [];
  for await (const entry of recorded) entries.push(entry);

  const mismatches: Mismatch[] = [];
  const report = (mismatch: Mismatch) => {
    if (mismatches.length < mismatchLimit) mismatches.push(mismatch);
  };
  const sent = createSentLines(instances, entries, report);
  const notes = createNotes(entries, report);
  const ports = createPorts(sent.push);
  const wakes = createRecordedWakes();
  let actor: ActorHost | undefined;
  let hasFinished = false;
  // What is sent stands in the journal as it was after the mutations.
  const unmutated = instances.map(({ script: { mutate: _, ...script }, ...instance }) => ({
    ...instance,
    script,
  }));
  const { script } = unmutated[0]!;
  const running = runWith(
    unmutated,
    {
      connect: ports.next,
      clock: { now: () => 0, timer: () => ({ cancel() {} }) },
      judge: options.judge,
      bindings: options.bindings,
      timeoutMs: options.timeoutMs,
      note(event) {
        options.note?.(event);
        notes.add(event);
      },
      ...(options.fits && { fits: options.fits }),
      // A journal can be shorter than what was said, since no secret is in it.
      maxTraffic: (options.maxTraffic ?? trafficLimit) / 2,
      actor(host) {
        actor = host;
        return silentActor;
      },
    },
    wakes.source,
  ).then(results => {
    hasFinished = true;
    return results;
  });
  await ports.listening;

  for (const [index, entry] of entries.entries()) {
    sent.moveTo(index);
    if (entry.channel === 'acp' && entry.from === script.role) {
      // Writes in pieces take a turn; nothing else in the script does.
      if (entry.by === 'fixture' || sent.lacks(entry)) await turn();
      if (entry.by === 'script') sent.reach(entry);
      else if (entry.by === 'fixture' && entry.line.kind === 'frame') actor?.send(entry.line.value);
    } else if (entry.channel === 'bench') {
      if (entry.what.event === 'timer' && !(await wakes.fire(entry.what.id)) && !hasFinished) {
        report({ seq: entry.seq, expected: `wait ${entry.what.id} ends`, got: 'no such wait' });
      }
    } else {
      const event = eventOf(entry);
      if (event) ports.emit(entry.connection, event);
    }
  }
  await turn();
  if (!hasFinished) {
    // Other scripts run until the actor behind them ends, which leaves no entry.
    if (endsWithSteps(script)) {
      report({ seq: entries.at(-1)?.seq ?? 0, expected: 'the end of the script', got: 'it still waits' });
    }
    actor?.exit(0);
  }
  const results = await running;
  sent.finish(wakes.isWriting());
  notes.finish();
  return { results, mismatches };
};

const silentActor: Actor = { receive() {}, ended() {}, dispose: async () => {} };

/** Lets promises settle that nothing recorded waits for. */
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
