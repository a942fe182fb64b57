/** What was said of each connection of a journal, with the entries that findings point to. */
import type { ConnectionFacts } from '../catalogue/index.ts';
import type { Entry } from '../journal/index.ts';
import type { Observation } from './grade.ts';
import type { Ledger } from './ledger.ts';
import { withEntries } from './show-entries.ts';

/** @param entries those of the journal, as it was written; read once, and only where there are findings */
export const observeConnections = (
  ledger: Ledger,
  connections: readonly ConnectionFacts[],
  { journal, scenario }: Pick<Observation, 'journal' | 'scenario'>,
  entries: Iterable<Entry>,
): readonly Observation[] => {
  const judged = withEntries(
    connections.map(({ connection }) => ledger.judgements(connection)),
    entries,
  );
  return connections.map((facts, index) => ({
    facts,
    journal,
    ...(scenario !== undefined && { scenario }),
    judgements: judged[index]!,
  }));
};
