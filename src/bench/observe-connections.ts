/** What was said of each connection of a journal, scenario by scenario, with the entries that findings point to. */
import type { ConnectionFacts } from '../catalogue/index.ts';
import type { Entry } from '../journal/index.ts';
import type { Observation } from './grade.ts';
import type { Ledger } from './ledger.ts';
import { withEntries } from './show-entries.ts';

/** @param entries those of the journal, as it was written; read once, and only where there are findings */
export const observeConnections = (
  ledger: Ledger,
  connections: readonly ConnectionFacts[],
  journal: string,
  entries: Iterable<Entry>,
): readonly Observation[] => {
  const parts = connections.flatMap(facts =>
    [...ledger.judgements(facts.connection)].map(([scenario, judgements]) => ({
      facts,
      scenario,
      judgements,
    })),
  );
  const judged = withEntries(
    parts.map(({ judgements }) => judgements),
    entries,
  );
  return parts.map(({ facts, scenario }, index) => ({
    facts,
    journal,
    ...(scenario !== undefined && { scenario }),
    judgements: judged[index]!,
  }));
};
