/**
 * What a live run does with a line: framer, envelope, schema and all rules, and the journal, which is redacted and
 * written to disk. The client beside it sends the next request when the last one was answered.
 */
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { catalogue, foldJournal, journal, protocol, wire } from '../compiled.ts';
import { request, requestCount, secret } from '../session.ts';
import type { Configuration } from './configuration.ts';

const judging =
  (isRecorded: boolean): Configuration =>
  async ({ turns, folder }) => {
    const { encodeFrame, streamPort } = await wire();
    const { createJournal, createRedactor, recordingPort } = await journal();
    const { loadProtocol } = await protocol();
    const { loadCatalogue } = await catalogue();
    const { createLiveFold } = await foldJournal();
    const fold = createLiveFold({
      protocol: await loadProtocol('latest'),
      catalogue: loadCatalogue(),
      subject: 'agent',
      journal: journalName,
    });
    const record = createJournal({
      header: {
        journal: 'acp-testbench/1',
        bench: 'benchmark',
        run: 'benchmark',
        startedAt: new Date().toISOString(),
        subject: 'agent',
      },
      redactor: createRedactor([secret]),
      onEntry: fold.step,
      ...(isRecorded && { path: join(folder, journalName) }),
    });

    return async output => {
      const carrier = streamPort({ input: nowhere(), output });
      const port = recordingPort(carrier, record, { counterparty: 'agent', connection: 1 });
      let asked = 0;
      const ask = (): void => {
        if (asked === requestCount(turns)) return;
        void port.send(encodeFrame({ jsonrpc: '2.0', id: asked, ...request(asked) }), { by: 'script' });
        asked++;
      };
      let lines = 0;
      await new Promise<void>(ended => {
        port.listen(event => {
          if (event.type === 'eof') return ended();
          if (event.type !== 'line') return;
          lines++;
          if (event.line.kind === 'frame' && event.line.value.result !== undefined) ask();
        });
        ask();
      });
      record.close();
      const judgements = fold.finish([])[0].observations.flatMap(observation => observation.judgements);
      const counts = judgements.map(({ requirement, violated: { fail, warn, info } }) => [
        requirement,
        fail + warn + info,
      ]);
      return { lines, violated: Object.fromEntries(counts.filter(([, count]) => count !== 0)) };
    };
  };

export const journalName = 'journal.jsonl';

/** As the pipeline, but nothing is written. */
export const judged = judging(false);
export const pipeline = judging(true);

const nowhere = (): Writable =>
  new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
