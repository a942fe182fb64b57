/** Small worlds for the tests of grading: a catalogue of a few made-up requirements, and what a run saw of them. */

import type { GradeOptions, Observation, Run } from '../../src/bench/grade.ts';
import { createLedger, type Judgement } from '../../src/bench/ledger.ts';
import type { ConnectionFacts } from '../../src/catalogue/connection-facts.ts';
import {
  type Catalogue,
  type Evidence,
  loadCatalogue,
  type Requirement,
  type RequirementId,
} from '../../src/catalogue/index.ts';
import type { RequirementResult } from '../../src/report/report.ts';
import type { JsonObject } from '../../src/wire/json.ts';

export const requirement = (id: RequirementId, rest: Partial<Requirement> = {}): Requirement => ({
  id,
  party: 'agent',
  level: 'MUST',
  statement: `${id} is kept.`,
  since: 'v0.12.1',
  applies: { agent: [], client: [] },
  requires: [],
  needs: 'none',
  opportunity: `the opportunity of ${id}`,
  test: 'none',
  basis: 'explicit',
  verdict: 'fail',
  source: 'made up',
  bench: '0.1.0',
  ...rest,
});

export const catalogueOf = (...requirements: Requirement[]): Catalogue => ({
  ...loadCatalogue(),
  requirements: new Map(requirements.map(each => [each.id, each])),
});

export const factsOf = (agentCapabilities: JsonObject = {}): ConnectionFacts => ({
  connection: 1,
  initializeParams: { protocolVersion: 1 },
  initializeResult: { protocolVersion: 1, agentCapabilities },
  situations: new Set(),
  established: false,
});

export const uninitialized: ConnectionFacts = { ...factsOf(), initializeResult: undefined };

/** What a judge is told: how often a requirement was exercised, and the violations. */
export type Told = Readonly<
  Record<RequirementId, { readonly exercised?: number; readonly violated?: readonly Partial<Evidence>[] }>
>;

const judgementsOf = (catalogue: Catalogue, told: Told): readonly Judgement[] => {
  const ledger = createLedger(catalogue);
  for (const [id, { exercised = 1, violated = [] }] of Object.entries(told)) {
    for (let count = 0; count < exercised; count += 1) ledger.judge.exercised(id);
    for (const evidence of violated) ledger.judge.violated(id, { detail: 'seen', ...evidence });
  }
  return ledger.judgements(1).get(undefined) ?? [];
};

export const observation = (
  catalogue: Catalogue,
  told: Told,
  rest: Partial<Observation> = {},
): Observation => ({
  facts: factsOf(),
  scenario: 'area/name',
  journal: 'journals/area-name.jsonl',
  judgements: judgementsOf(catalogue, told),
  ...rest,
});

export const runOf = (observations: readonly Observation[], outcomes: Run['outcomes'] = []): Run => ({
  observations,
  outcomes,
});

export const options = (rest: Partial<GradeOptions> = {}): GradeOptions => ({
  release: 'latest',
  subject: 'agent',
  tiers: ['core', 'turn', 'scripted'],
  ...rest,
});

export const resultOf = (rest: Partial<RequirementResult> = {}): RequirementResult => ({
  id: 'X-01',
  party: 'agent',
  level: 'MUST',
  verdict: 'pass',
  exercised: 1,
  violated: 0,
  findings: [],
  ...rest,
});
