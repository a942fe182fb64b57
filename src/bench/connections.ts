/** The processes of one scenario, one after the other, each recorded as a connection of the same journal. */
import { type Journal, type ProcessEvent, recordingPort } from '../journal/index.ts';
import type { Rung } from '../process/index.ts';
import { trafficLimit } from '../script/index.ts';
import type { Port } from '../wire/index.ts';
import { createOutputBound } from './bounded-output.ts';
import type { Place, Started, Subject } from './subject.ts';

export interface Connections {
  /** Number of the present connection, from 1. */
  current(): number;
  /** Starts the first process; with `restart`, ends the present one in that way and starts the next. */
  connect(restart?: 'eof' | 'kill'): Promise<Port>;
  /** Ends the present process, and each later one as it starts; whoever listens hears of it. */
  interrupt(): void;
  /** Ends the present process and all that it started. */
  end(): Promise<void>;
}

export const createConnections = (
  subject: Subject,
  place: Place,
  journal: Journal,
  onConnection: (connection: number) => void,
): Connections => {
  let connection = 1;
  let started: Started | undefined;
  let recorded: Port | undefined;
  let isInterrupted = false;

  const note = (what: ProcessEvent): void => {
    journal.append({ connection, channel: 'process', from: subject.party, what });
  };
  // By then the script was blocked: this is for what comes until the process has ended.
  const bounded = createOutputBound(trafficLimit, () => {
    const text = 'More than 64 MiB were written; what comes now is left out';
    journal.append({ connection, channel: 'bench', what: { event: 'note', text } });
  });

  const end = async (from: Rung): Promise<void> => {
    // Whoever listened is done; what comes now is recorded all the same.
    recorded?.listen(() => {});
    await started?.stop(from, note);
    started = undefined;
  };

  const interrupt = (): void => {
    isInterrupted = true;
    void started?.stop('SIGTERM', note);
  };

  return {
    current: () => connection,
    async connect(restart) {
      if (restart) {
        await end(restart === 'kill' ? 'SIGKILL' : 'eof');
        connection += 1;
      }
      onConnection(connection);
      started = await subject.start(place);
      note(started.start);
      recorded = recordingPort(bounded(started.port), journal, { counterparty: subject.party, connection });
      if (isInterrupted) interrupt();
      return recorded;
    },
    interrupt,
    end: () => end('eof'),
  };
};
