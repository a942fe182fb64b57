/** Mistakes that the schema cannot see: ids that do not exist, names before they are saved, verbs of the other role. */
import { didYouMean, pointerStep, type SchemaMistake } from '../base/index.ts';
import type { Json } from '../wire/index.ts';
import { nameMistakes } from './check-names.ts';
import type { Branch, Script, Step, Unless } from './script.ts';
import { type Verb, verbOf } from './verbs/index.ts';

/** Words that may stand in a script; a set that is absent is not checked. */
export interface Known {
  readonly requirements?: { has(id: string): boolean; keys(): Iterable<string> };
  readonly situations?: ReadonlySet<string>;
  /** Words of `requires`; capability paths, which hold a dot, are not checked. */
  readonly conditions?: ReadonlySet<string>;
}

/** All mistakes, in no particular order. The script has the shape of one. */
export const semanticMistakes = (script: Script, known: Known): readonly SchemaMistake[] => [
  ...idMistakes(script, known),
  ...steps(script).flatMap(({ step, pointer }) => stepMistakes(script, step, pointer)),
  ...nameMistakes(script),
];

export const mistake = (
  pointer: string,
  message: string,
  part: SchemaMistake['part'] = 'value',
): SchemaMistake => ({ message, pointer, part });

/** All steps, those of handlers and branches included. */
export const steps = (script: Script): { step: Step; pointer: string }[] => [
  ...stepsOf(script.steps, '/steps'),
  ...(script.handlers ?? []).flatMap((handler, index) => stepsOf(handler.steps, `/handlers/${index}/steps`)),
];

const stepsOf = (list: readonly Step[] = [], at: string): { step: Step; pointer: string }[] =>
  list.flatMap((step, index) => {
    const pointer = at + pointerStep(index);
    const branches = 'either' in step ? step.either : [];
    return [
      { step, pointer },
      ...branches.flatMap((branch, number) => stepsOf(branch.steps, `${pointer}/either/${number}/steps`)),
    ];
  });

const idMistakes = (script: Script, { requirements, situations, conditions }: Known): SchemaMistake[] => {
  const unknown = (
    kind: string,
    set: { has(word: string): boolean; keys(): Iterable<string> } | undefined,
    words: Found[],
  ) =>
    words
      .filter(({ word }) => set && !set.has(word))
      .map(({ word, at, part }) =>
        mistake(at, `unknown ${kind} "${word}"${didYouMean(word, set?.keys() ?? [])}`, part),
      );
  const ids = [
    ...wordsAt(script as unknown as Json, ['checks', 'passes', 'fails', 'breaks']),
    ...Object.keys(script.collateral ?? {}).map(word => ({
      word,
      at: `/collateral${pointerStep(word)}`,
      part: 'key' as const,
    })),
  ];
  const needed = (script.requires ?? []).map((word, index) => ({ word, at: `/requires/${index}` }));
  return [
    ...unknown('requirement', requirements, ids),
    ...unknown('situation', situations, wordsAt(script as unknown as Json, ['situation'])),
    ...unknown(
      'condition',
      conditions,
      needed.filter(({ word }) => !word.includes('.')),
    ),
  ];
};

interface Found {
  readonly word: string;
  readonly at: string;
  readonly part?: SchemaMistake['part'];
}

/** Strings under members of these names, alone or in lists; what is sent or matched is passed over. */
const wordsAt = (value: Json, names: readonly string[], pointer = ''): Found[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Readonly<Record<string, Json>>).flatMap(([name, member]) => {
    const at = pointer + pointerStep(name);
    if (payloads.has(name)) return [];
    if (!names.includes(name)) return wordsAt(member, names, at);
    if (typeof member === 'string') return [{ word: member, at }];
    return (member as readonly string[]).map((word, index) => ({ word, at: at + pointerStep(index) }));
  });
};

const payloads: ReadonlySet<string> = new Set([
  'params',
  'result',
  'error',
  'is',
  'behaviour',
  'files',
  'parameters',
  'set',
  'match',
  'after',
  'received',
  'until',
]);

const stepMistakes = ({ role }: Script, step: Step, pointer: string): SchemaMistake[] => {
  const verb = verbOf(step);
  const at = pointer + pointerStep(verb);
  const found: SchemaMistake[] = [];
  const owner = roleOf[verb];
  if (owner !== undefined && owner !== role) {
    found.push(mistake(at, `"${verb}" is a verb of role ${owner}, and this script has role ${role}`, 'key'));
  }
  if ('respond' in step && !step.fault && (step.result === undefined) === (step.error === undefined)) {
    found.push(mistake(at, 'a response has a result or an error; write one of them, or fault: true', 'key'));
  }
  if ('raw' in step) {
    const bodies = ['text', 'hex', 'file', 'fill'].filter(name => name in step.raw);
    if (bodies.length !== 1) found.push(mistake(at, 'write one of text, hex, file and fill'));
    if (step.as !== undefined && step.id === undefined) {
      found.push(mistake(`${pointer}/as`, '"as" needs the id that the bytes carry; add "id"', 'key'));
    }
  }
  if ('stderr' in step && 'write' in step.stderr && role === 'client') {
    found.push(mistake(`${at}/write`, 'only an agent script writes to standard error', 'key'));
  }
  if ('either' in step) found.push(...branchMistakes(step.either, at));
  if ('expect' in step) {
    for (const [index, unless] of (step.unless ?? []).entries()) {
      found.push(...bothWays(unless, `${pointer}/unless/${index}`));
    }
  }
  return found;
};

const roleOf: Readonly<Partial<Record<Verb, Script['role']>>> = {
  initialize: 'client',
  'new-session': 'client',
  'pause-reading': 'client',
  restart: 'client',
};

const branchMistakes = (branches: readonly Branch[], at: string): SchemaMistake[] =>
  branches.flatMap((branch, index) => {
    const pointer = at + pointerStep(index);
    const found = bothWays(branch, pointer);
    if (branch.else && index < branches.length - 1) {
      found.push(mistake(`${pointer}/else`, '"else" is the last branch; none after it can be taken', 'key'));
    }
    if (branch.else && branch.when) {
      found.push(mistake(`${pointer}/when`, 'a branch has "when" or "else", not both', 'key'));
    }
    return found;
  });

/** A requirement cannot be kept and violated by the same thing. */
const bothWays = ({ passes = [], fails = [] }: Branch & Partial<Unless>, pointer: string): SchemaMistake[] =>
  fails.flatMap((id, index) =>
    passes.includes(id)
      ? [mistake(`${pointer}/fails/${index}`, `${id} stands under passes and under fails`)]
      : [],
  );
