/** Reads the catalogue that ships with the bench. Its schema is checked by tests and by `validate`, not at every start. */
import { readFileSync } from 'node:fs';
import { shipped } from '../base/index.ts';
import type { Capability, Catalogue, Position, Requirement, RequirementId } from './requirement.ts';

/** The file as `schemas/catalogue.schema.json` describes it, as far as the bench reads it. */
interface CatalogueFile {
  readonly meta: {
    readonly capabilities: Readonly<Record<string, Capability>>;
    readonly requires_legend: Readonly<Record<string, string>>;
    readonly since_order: readonly string[];
  };
  readonly rules: readonly Requirement[];
  readonly positions: readonly Position[];
}

/** Absolute path of the catalogue. */
export const catalogueFile = (): string => shipped('requirements/requirements.json');

let shippedCatalogue: Catalogue | undefined;

/** The catalogue; read once. */
export const loadCatalogue = (): Catalogue => {
  shippedCatalogue ??= createCatalogue(JSON.parse(readFileSync(catalogueFile(), 'utf8')) as CatalogueFile);
  return shippedCatalogue;
};

const createCatalogue = ({ meta, rules, positions }: CatalogueFile): Catalogue => {
  const named = indexNames(rules);
  const matching = (name: string) => named.get(name) ?? [];
  return {
    requirements: new Map(rules.map(rule => [rule.id, rule])),
    positions: new Map(positions.map(position => [position.id, position])),
    capabilities: new Map(Object.entries(meta.capabilities)),
    conditions: new Map(Object.entries(meta.requires_legend)),
    sinceOrder: meta.since_order,
    matching,
    resolve: name => (matching(name).length === 1 ? matching(name)[0] : undefined),
  };
};

/** Ids, and aliases with and without the name of the kit before them (`acp-tck:ACP-AUTH-003`, `ACP-AUTH-003`). */
const indexNames = (rules: readonly Requirement[]): ReadonlyMap<string, readonly RequirementId[]> => {
  const index = new Map<string, RequirementId[]>();
  const add = (name: string, id: RequirementId) => index.set(name, [...(index.get(name) ?? []), id]);
  for (const { id, aliases = [] } of rules) {
    for (const name of new Set([id, ...aliases, ...aliases.map(withoutKit)])) add(name, id);
  }
  return index;
};

const withoutKit = (alias: string): string => alias.slice(alias.indexOf(':') + 1);
