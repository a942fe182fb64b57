export type {
  AcpEntry,
  BenchEntry,
  BenchEvent,
  Draft,
  Entry,
  JournalHeader,
  ProcessEntry,
  ProcessEvent,
  StderrEntry,
} from './entry.ts';
export { serializeEntry, serializeHeader } from './entry-line.ts';
export { createJournal, type Journal, type JournalOptions } from './journal.ts';
export { createLineRecorder, type LineRecorder, type LineRecorderOptions } from './line-recorder.ts';
export { type MergedEntry, mergeJournals } from './merge-journals.ts';
export { parseEntry, parseHeader } from './parse-entry.ts';
export { type ReadJournal, readJournal } from './read-journal.ts';
export { type RecordingOptions, recordingPort } from './recording-port.ts';
export { type RedactedEntries, redactedEntries } from './redacted-entries.ts';
export { createRedactor, type Redactor } from './redactor.ts';
export { isRedactable, type Secret } from './secrets.ts';
