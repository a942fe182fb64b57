/** The benchmark over a tiny corpus: that it measures what it says. How fast anything is, no test asks. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { updatesPerTurn } from '../../bench/agent-output.ts';
import { type ConfigurationName, configurations, journalName } from '../../bench/configurations/index.ts';
import { consume } from '../../bench/consume.ts';
import { type Corpus, writeCorpus } from '../../bench/corpus.ts';
import { type Measured, measure, passes } from '../../bench/measure.ts';
import type { Rounds } from '../../bench/measurements.ts';
import { plantedFaults } from '../../bench/planted-faults.ts';
import { droppedBySdk, type Figures, reportOf } from '../../bench/report.ts';
import { secret } from '../../bench/session.ts';
import { readJournal } from '../../src/journal/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';

const turns = 2;
const names = Object.keys(configurations) as ConfigurationName[];
const broken = plantedFaults.flatMap(({ breaks }) => breaks).sort();
const found = ({ violated = {} }: Pick<Measured, 'violated'>): string[] =>
  Object.entries(violated)
    .flatMap(([id, times]) => Array<string>(times).fill(id))
    .sort();

describe('the benchmark', () => {
  let folder: string;
  let corpus: Corpus;
  let bytes: Buffer;
  const measured = {} as Record<ConfigurationName, Measured>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'benchmark-'));
    corpus = writeCorpus(join(folder, 'corpus.jsonl'), turns);
    bytes = await readFile(corpus.path);
  });
  after(() => rm(folder, { recursive: true }));

  it('describes its corpus truly', () => {
    const lines = bytes.toString().split('\n').slice(0, -1);
    assert.equal(lines.length, corpus.lines);
    assert.equal(bytes.length, corpus.bytes);
    const planted = plantedFaults.flatMap(fault => fault.lines);
    const updates = lines.filter(line => line.includes('"session/update"') && !planted.includes(line));
    assert.equal(updates.length, corpus.updates);
    assert.equal(lines.filter(line => planted.includes(line)).length, planted.length);
  });

  it('has as many updates of each kind as it says', () => {
    const planted = new Set(plantedFaults.flatMap(fault => fault.lines));
    const updates = bytes
      .toString()
      .split('\n')
      .filter(line => line.includes('"session/update"') && !planted.has(line))
      .map(line => JSON.parse(line).params.update);
    const count = (fits: (update: JsonObject) => boolean) => updates.filter(fits).length / turns;
    const kinds: Record<keyof typeof updatesPerTurn, number> = {
      'message chunk in ASCII': count(update => isChunk(update, 'message') && !isForeign(update)),
      'message chunk beyond ASCII': count(update => isChunk(update, 'message') && isForeign(update)),
      'thought chunk': count(update => isChunk(update, 'thought')),
      'tool call': count(update => update.sessionUpdate === 'tool_call'),
      'tool call in progress, with content': count(
        update => update.status === 'in_progress' && Array.isArray(update.content),
      ),
      'tool call completed, with content': count(
        update => update.status === 'completed' && Array.isArray(update.content),
      ),
      plan: count(update => update.sessionUpdate === 'plan'),
      usage: count(update => update.sessionUpdate === 'usage_update'),
      'available commands': count(update => update.sessionUpdate === 'available_commands_update'),
    };
    assert.deepEqual(kinds, updatesPerTurn);
  });

  it('makes the same corpus in every run', async () => {
    const again = writeCorpus(join(folder, 'again.jsonl'), turns);
    assert.ok(bytes.equals(await readFile(again.path)));
  });

  for (const name of names) {
    it(`brings every frame through: ${name}`, async test => {
      // The SDK tells there of the planted fault that it finds.
      const complaints = test.mock.method(console, 'error', () => {});
      const own = await mkdtemp(join(folder, `${name}-`));
      measured[name] = await measure(name, bytes, { turns, folder: own });
      const dropped = name === 'sdk' ? droppedBySdk : 0;
      assert.equal(measured[name].lines, corpus.lines - dropped);
      assert.equal(complaints.mock.callCount(), passes * dropped);
    });
  }

  it('judges: the rules find exactly the planted faults, with the journal and without', () => {
    assert.deepEqual(found(measured.judged), broken);
    assert.deepEqual(found(measured.pipeline), broken);
  });

  it('writes the journal to disk, whole and without the secret', async () => {
    assert.ok(bytes.includes(secret.value), 'the corpus holds the secret');
    const own = await mkdtemp(join(folder, 'journal-'));
    await measure('pipeline', bytes, { turns, folder: own });
    const path = join(own, `pass-${passes}`, journalName);
    const text = await readFile(path, 'utf8');
    assert.ok(!text.includes(secret.value));
    assert.ok(text.includes(`[redacted:${secret.name}]`));
    const fromAgent = [...readJournal(path).entries].filter(
      entry => entry.channel === 'acp' && entry.from === 'agent',
    );
    assert.equal(fromAgent.length, corpus.lines);
  });

  it('streams from another process through the same pipeline', async () => {
    const own = await mkdtemp(join(folder, 'memory-'));
    const producer = fileURLToPath(new URL('../../bench/produce.ts', import.meta.url));
    const consumed = await consume({ turns, folder: own }, [process.execPath, '--import', 'tsx', producer]);
    assert.equal(consumed.lines, corpus.lines);
    assert.equal(consumed.bytes, corpus.bytes);
    assert.deepEqual(found(consumed), broken);
    assert.ok(consumed.peakBytes > consumed.bytes);
  });

  describe('its report', () => {
    /** A single round of each. */
    const once = () =>
      Object.fromEntries(names.map(name => [name, [measured[name]]])) as Record<
        ConfigurationName,
        Measured[]
      >;
    const figures = (rounds: Partial<Rounds> = {}): Figures => ({
      corpus,
      rounds: { ...once(), ...rounds },
      startUp: { version: [30, 50, 40], empty: [20, 40] },
      memory: { ...measured.pipeline, turns, bytes: corpus.bytes, peakBytes: 150e6 },
    });

    it('says of each target whether it is met', () => {
      const pace = (name: ConfigurationName, milliseconds: readonly number[]) =>
        milliseconds.map(each => ({ ...measured[name], milliseconds: each }));
      const { targets } = reportOf(
        figures({
          bare: pace('bare', [10, 100, 10]),
          pipeline: pace('pipeline', [20, 180, 25]),
          sdk: pace('sdk', [120, 1200, 120]),
        }),
      );
      assert.deepEqual(
        targets.map(({ seen, isMet }) => [seen, isMet]),
        [
          ['0.50', true],
          ['6.00', false],
          ['1.33', true],
          ['150.00', true],
        ],
      );
    });

    it('is refused when a frame was lost', () => {
      const lost = [{ ...measured.bare, lines: corpus.lines - 1 }];
      assert.throws(() => reportOf(figures({ bare: lost })), /bare: \d+ of \d+ lines arrived/);
    });

    it('is refused when the rules found something else than what is planted', () => {
      const blind = [{ ...measured.pipeline, violated: {} }];
      assert.throws(() => reportOf(figures({ pipeline: blind })), /pipeline: found \[\] instead of/);
    });
  });
});

const isChunk = ({ sessionUpdate }: JsonObject, kind: string): boolean =>
  sessionUpdate === `agent_${kind}_chunk`;

const isForeign = ({ content }: JsonObject): boolean => /[^\x00-\x7f]/.test(JSON.stringify(content));
