/**
 * Measures speed, start-up and memory on one corpus in one run, and prints the figures and which targets they meet.
 * The exit code is 0 either way: this is a report, not a test.
 * Usage: npm run bench [-- --json] [--turns 200] [--rounds 5] [--memory-turns 4000]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inFolder } from './child.ts';
import { writeCorpus } from './corpus.ts';
import { measureMemory, measureStartUp, measureThroughput } from './measurements.ts';
import { printed } from './print.ts';
import { reportOf } from './report.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** A thousand updates each. */
    turns: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    /** Turns that are streamed for the memory figure; the default makes a gigabyte. */
    'memory-turns': { type: 'string', default: '4000' },
    'start-up-runs': { type: 'string', default: '21' },
  },
});

const report = inFolder(folder => {
  const corpus = writeCorpus(join(folder, 'corpus.jsonl'), Number(options.turns));
  return reportOf({
    corpus,
    startUp: measureStartUp(Number(options['start-up-runs'])),
    rounds: measureThroughput(corpus, Number(options.rounds)),
    memory: measureMemory(Number(options['memory-turns'])),
  });
});
process.stdout.write(options.json ? `${JSON.stringify(report, undefined, 2)}\n` : printed(report));
