/** A Port that writes down all that passes through it, in the order in which the bench observes it. */
import { otherParty, type Party, type Port, type PortEvent } from '../wire/index.ts';
import type { ProcessEvent } from './entry.ts';
import type { Journal } from './journal.ts';
import { createLineRecorder, lineDraft } from './line-recorder.ts';

export interface RecordingOptions {
  /** Who is at the other end. */
  readonly counterparty: Party;
  /** 1 for the first process or connection of the run, 2 after a restart, and so on. */
  readonly connection: number;
  /**
   * Who is judged in the journal. Default: the counterparty. Where it is our own side, its frames carry no mark, and
   * those of the counterparty are marked as foreign.
   */
  readonly subject?: Party;
}

/**
 * An event is recorded when it is delivered, right before the listener sees it; sent bytes are recorded before they are
 * written, so that an answer never precedes its request. Bytes without a mark count as the script's.
 */
export const recordingPort = (
  port: Port,
  journal: Journal,
  { counterparty, connection, subject = counterparty }: RecordingOptions,
): Port => {
  const isJudged = subject === counterparty;
  const sent = createLineRecorder({
    journal,
    connection,
    from: otherParty(counterparty),
  });
  const readChunkTime = chunkTime(() => journal.now());
  let isInputOpen = true;
  /** The line that is being sent has not ended. */
  let isMidLine = false;
  /** It was cut off by the end of the counterparty, so that its rest is no line of its own. */
  let isCutOff = false;

  const note = (what: ProcessEvent): void => {
    journal.append({ connection, channel: 'process', from: counterparty, what });
  };

  /** Records the event; a line comes back with its sequence. */
  const record = (event: PortEvent): PortEvent => {
    switch (event.type) {
      case 'line': {
        const draft = lineDraft(event.line, counterparty, connection, readChunkTime());
        const { seq } = journal.append(isJudged ? draft : { ...draft, by: 'foreign' });
        return { type: 'line', line: event.line, seq };
      }
      case 'stderr':
        journal.append({ connection, channel: 'stderr', from: counterparty, bytes: event.bytes });
        return event;
      case 'eof':
        note({ event: 'eof' });
        return event;
      case 'exit':
        sent.end();
        isCutOff = isMidLine;
        note({ event: 'exit', code: event.code, signal: event.signal });
        return event;
      case 'broken':
        note({ event: 'broken', reason: event.reason });
        return event;
    }
  };

  return {
    send(bytes, mark = { by: 'script' }) {
      const start = isCutOff ? bytes.indexOf(lineFeed) + 1 : 0;
      if (start > 0) isCutOff = false;
      if (bytes.length > 0) isMidLine = bytes[bytes.length - 1] !== lineFeed;
      if (!isCutOff) sent.push(start > 0 ? bytes.subarray(start) : bytes, isJudged ? mark : undefined);
      return port.send(bytes, mark);
    },
    end() {
      if (isInputOpen) {
        isInputOpen = false;
        sent.end();
        note({ event: 'input-closed' });
      }
      port.end();
    },
    listen(listener) {
      port.listen(event => listener(record(event)));
    },
    pauseReading: () => port.pauseReading?.(),
    resumeReading: () => port.resumeReading?.(),
  };
};

const lineFeed = 0x0a;

/** All lines of one chunk are delivered within one task: they share one reading of the clock. */
const chunkTime = (now: () => number): (() => number) => {
  let time: number | undefined;
  return () => {
    if (time === undefined) {
      time = now();
      queueMicrotask(() => {
        time = undefined;
      });
    }
    return time;
  };
};
