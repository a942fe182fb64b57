/** Writes down a session of two foreign programs without ever standing in its way: whatever fails here fails alone. */
import { randomUUID } from 'node:crypto';
import { benchVersion } from '../base/index.ts';
import {
  createJournal,
  createLineRecorder,
  type Journal,
  type ProcessEvent,
  type Redactor,
} from '../journal/index.ts';
import type { Party } from '../wire/index.ts';

export interface SessionCapture {
  /** What one side wrote, in any chunks. */
  bytes(from: Party, chunk: Uint8Array): void;
  /** That side will write no more. */
  ended(from: Party): void;
  /** What the agent wrote to its standard error. */
  stderr(chunk: Uint8Array): void;
  /** What happened to the agent's process. */
  note(what: ProcessEvent): void;
  close(): void;
}

export interface CaptureOptions {
  readonly journalPath: string;
  /** Who is to be judged; frames of the other side are marked as foreign. */
  readonly subject: Party;
  readonly redactor?: Redactor;
  /** Called at most once, with the reason, when nothing more can be recorded. */
  readonly onFailure: (reason: string) => void;
}

export const captureSession = ({
  journalPath,
  subject,
  redactor,
  onFailure,
}: CaptureOptions): SessionCapture => {
  let isRecording = true;

  const fail = (error: unknown): void => {
    if (isRecording) onFailure(error instanceof Error ? error.message : String(error));
    isRecording = false;
  };
  const attempt = <T>(act: () => T): T | undefined => {
    if (!isRecording) return undefined;
    try {
      return act();
    } catch (error) {
      fail(error);
      return undefined;
    }
  };

  const connection = 1;
  const journal = attempt(() =>
    createJournal({
      header: {
        journal: 'acp-testbench/1',
        bench: benchVersion(),
        run: randomUUID(),
        startedAt: new Date().toISOString(),
        subject,
      },
      path: journalPath,
      ...(redactor ? { redactor } : {}),
      onFailure: fail,
    }),
  ) as Journal;
  const lines = attempt(() => ({
    client: createLineRecorder({ journal, connection, from: 'client' }),
    agent: createLineRecorder({ journal, connection, from: 'agent' }),
  }));
  const note = (from: Party, what: ProcessEvent): void => {
    journal.append({ connection, channel: 'process', from, what });
  };

  return {
    bytes: (from, chunk) =>
      attempt(() => lines?.[from].push(chunk, from === subject ? undefined : { by: 'foreign' })),
    ended: from =>
      attempt(() => {
        lines?.[from].end();
        note(subject, { event: from === subject ? 'eof' : 'input-closed' });
      }),
    stderr: bytes =>
      attempt(() => journal.append({ connection, channel: 'stderr', from: 'agent', bytes })) as undefined,
    note: what =>
      attempt(() => {
        if (what.event === 'exit') for (const side of [lines?.client, lines?.agent]) side?.end();
        note('agent', what);
      }),
    close: () => attempt(() => journal.close()),
  };
};
