/** Everything the bench needs of one release, made from its descriptor. */
import type { Known, ReleaseData } from '../../src/protocol/released.ts';
import type { Shape, Shapes } from '../../src/protocol/shape.ts';
import { setAt, valueAt } from './json-pointer.ts';
import { methodsOf } from './methods.ts';
import { namesOf, ownerOf } from './names.ts';
import type { SchemaFile } from './schema.ts';
import { shapesOf } from './shapes.ts';
import { seenFrom } from './unions.ts';

/** The hand-kept facts beside the descriptors, and the schemas that they are about. */
export interface Facts {
  /** Stable schemas of all releases, oldest first. */
  readonly stable: readonly SchemaFile[];
  /** Unstable schemas by the release they came with, oldest first. */
  readonly unstable: Readonly<Record<string, SchemaFile>>;
  readonly gates: Readonly<Record<string, string>>;
  readonly since: Readonly<Record<string, string>>;
  readonly checks: Readonly<Record<string, readonly string[]>>;
}

/** The first release that the bench knows, in the words of the catalogue. */
const baseline = 'v0.12.1';

export const releaseData = (schema: SchemaFile, facts: Facts): ReleaseData => {
  const latest = facts.stable.at(-1) ?? schema;
  const later = shapesOf(withChecks(latest, facts.checks));
  const all = shapesOf(withChecks(schema, facts.checks));
  const seen = Object.entries(all).map(([name, shape]) => [name, seenFrom(later[name], shape, name)]);
  const methods = methodsOf(schema, facts.gates, name => facts.since[name] ?? baseline);
  const roots = methods.flatMap(({ params, result }) => [params, result ?? params]);
  return {
    methods,
    shapes: reachable(Object.fromEntries(seen), [...roots, 'Error']),
    known: knownElsewhere(schema, facts),
  };
};

/** Definitions that a message can be checked against. */
export const rootsOf = ({ methods }: ReleaseData): string[] => [
  ...new Set([...methods.flatMap(({ params, result }) => [params, result ?? params]), 'Error']),
];

/** Throws unless `since.json` names exactly what came after the first release. */
export const proveSince = ({ stable, since }: Facts): void => {
  const added = stable.slice(1).flatMap((schema, at) => newNames(schema, stable[at]!));
  const missing = added.filter(name => !(name in since));
  const stale = Object.keys(since).filter(name => !added.includes(name));
  if (missing.length + stale.length > 0) {
    throw new Error(`schemas/acp/since.json lacks [${missing}] and has needlessly [${stale}]`);
  }
};

/** Throws unless every pointer of `checks.json` names something in the newest release. */
export const proveChecks = ({ stable, checks }: Facts): void => {
  const stale = Object.values(checks)
    .flat()
    .filter(pointer => valueAt(stable.at(-1), pointer) === undefined);
  if (stale.length > 0) throw new Error(`schemas/acp/checks.json points at nothing: ${stale.join(', ')}`);
};

const withChecks = (schema: SchemaFile, checks: Facts['checks']): SchemaFile => {
  const marked = structuredClone(schema);
  for (const [check, pointers] of Object.entries(checks)) {
    for (const pointer of pointers) {
      if (valueAt(marked, pointer) !== undefined) setAt(marked, `${pointer}/x-check`, check);
    }
  }
  return marked;
};

/** Names that `newer` has on definitions of `older`, or as a method. */
const newNames = (newer: SchemaFile, older: SchemaFile): string[] => {
  const before = namesOf(older);
  const isReachable = (owner: string | undefined) => owner === undefined || owner in older.$defs;
  return [...namesOf(newer)].filter(name => !before.has(name) && isReachable(ownerOf(name)));
};

const knownElsewhere = (schema: SchemaFile, { stable, unstable, since }: Facts): Record<string, Known> => {
  const known: Record<string, Known> = {};
  for (const [release, other] of Object.entries(unstable)) {
    for (const name of newNames(other, schema)) known[name] = { unstableIn: release };
  }
  for (const later of stable.slice(stable.indexOf(schema) + 1)) {
    for (const name of newNames(later, schema)) {
      const stableSince = since[name];
      if (stableSince) known[name] = { stableSince };
    }
  }
  return known;
};

const reachable = (shapes: Shapes, roots: readonly string[]): Shapes => {
  const found = new Map<string, Shape>();
  const visit = (name: string): void => {
    const shape = shapes[name];
    if (!shape || found.has(name)) return;
    found.set(name, shape);
    JSON.stringify(shape, (_, part) => {
      if (part?.is === 'reference') visit(part.to);
      return part;
    });
  };
  roots.forEach(visit);
  return Object.fromEntries(found);
};
