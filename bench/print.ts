/** A report as people read it. */
import Table from 'cli-table3';
import { updatesPerTurn } from './agent-output.ts';
import type { ConfigurationName } from './configurations/index.ts';
import type { BenchReport } from './report.ts';

const described: Readonly<Record<ConfigurationName, string>> = {
  bare: 'bare: decode, split, JSON.parse',
  framed: 'framer alone',
  judged: 'framer, envelope, schema, all rules',
  pipeline: 'whole pipeline: and journal on disk, redacted',
  sdk: 'connection of the ACP SDK 2.4.0',
};

export const printed = ({ machine, corpus, throughput, startUp, memory, targets }: BenchReport): string => {
  const rates = table([
    'configuration',
    'frames/s',
    'MB/s',
    'µs a frame',
    'CPU µs',
    'times bare',
    'times SDK',
    'first pass: µs',
    'times bare',
    'times SDK',
  ]);
  for (const name of Object.keys(described) as ConfigurationName[]) {
    const rate = throughput[name];
    rates.push([
      described[name],
      Math.round(rate.linesPerSecond).toLocaleString('en'),
      rate.megabytesPerSecond.toFixed(0),
      ((rate.milliseconds * 1000) / corpus.lines).toFixed(2),
      ((rate.cpuMilliseconds * 1000) / corpus.lines).toFixed(2),
      rate.timesBare.toFixed(2),
      rate.timesSdk.toFixed(1),
      ((rate.first.milliseconds * 1000) / corpus.lines).toFixed(2),
      rate.first.timesBare.toFixed(2),
      rate.first.timesSdk.toFixed(1),
    ]);
  }
  const verdicts = table(['target', 'wanted', 'seen', '']);
  for (const { what, wanted, seen, isMet } of targets) {
    verdicts.push([what, wanted, seen, isMet ? 'met' : 'MISSED']);
  }
  const shares = Object.entries(updatesPerTurn).map(([kind, times]) => `${kind} ${times / 10} %`);
  return [
    Object.entries(machine)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    `corpus: ${corpus.updates.toLocaleString('en')} updates in ${corpus.turns} turns, ${megabytes(corpus.bytes)} MB`,
    `        ${shares.join(', ')}`,
    rates.toString(),
    `--version ${startUp.versionMs.toFixed(0)} ms, node -e 0 ${startUp.emptyMs.toFixed(0)} ms`,
    `${megabytes(memory.bytes)} MB (${memory.lines.toLocaleString('en')} frames) from another process in ${(memory.milliseconds / 1000).toFixed(0)} s, at most ${megabytes(memory.peakBytes)} MB resident`,
    verdicts.toString(),
    '',
  ].join('\n');
};

const table = (head: string[]) => new Table({ head, style: { head: [], border: [] } });

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
