/** Names in a script: each must be saved before it is used, and be of the kind that its use asks for. */
import { didYouMean, pointerStep, type SchemaMistake } from '../base/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { builtInNames } from './built-in-values.ts';
import { steps as allSteps, mistake } from './check.ts';
import type { Script, Step } from './script.ts';
import { isSchemaLeaf, type Path, readText } from './values.ts';
import { verbOf } from './verbs/index.ts';

type Kind = 'exchange' | 'value';
type Scope = Map<string, Kind>;

export const nameMistakes = (script: Script): SchemaMistake[] => {
  const found: SchemaMistake[] = [];
  const scope: Scope = new Map();
  found.push(...inSteps(script, script.steps ?? [], '/steps', scope));
  // A handler runs at any time and may use whatever is saved by then.
  for (const { step } of allSteps(script)) for (const [name, kind] of savedBy(step)) scope.set(name, kind);
  for (const [index, handler] of (script.handlers ?? []).entries()) {
    const at = `/handlers/${index}`;
    found.push(...inMatch(script, handler.match, `${at}/match`, scope));
    if (handler.after) found.push(...inMatch(script, handler.after, `${at}/after`, scope));
    const inside: Scope = new Map([...scope, ['request', 'value'], ['session', 'value']]);
    found.push(...inSteps(script, handler.steps, `${at}/steps`, inside));
  }
  for (const [index, { match, ...edits }] of (script.mutate ?? []).entries()) {
    const at = `/mutate/${index}`;
    const inside: Scope = new Map([...scope, ['frame', 'value']]);
    found.push(...inMatch(script, match, `${at}/match`, scope));
    found.push(...inTemplate(script, edits as unknown as Json, at, inside));
  }
  return found;
};

/** Adds what the steps save to the scope. */
const inSteps = (script: Script, steps: readonly Step[], at: string, scope: Scope): SchemaMistake[] =>
  steps.flatMap((step, index) => {
    const found = inStep(script, step, at + pointerStep(index), scope);
    for (const [name, kind] of savedBy(step)) scope.set(name, kind);
    return found;
  });

const inStep = (script: Script, step: Step, pointer: string, scope: Scope): SchemaMistake[] => {
  const exchanges: [string | undefined, string][] = [];
  const subjects: [string, string][] = [];
  const found: SchemaMistake[] = [];
  if ('at' in step && step.at) exchanges.push([step.at.of, `${pointer}/at/of`]);
  if ('guard' in step && step.guard) exchanges.push([step.guard.unanswered, `${pointer}/guard/unanswered`]);
  if ('assert' in step) subjects.push([step.assert.of, `${pointer}/assert/of`]);

  const { either: _, ...rest } = step as Step & { either?: unknown };
  found.push(...inTemplate(script, rest as unknown as Json, pointer, scope));
  if ('either' in step) {
    for (const [index, branch] of step.either.entries()) {
      const at = `${pointer}/either/${index}`;
      const inside: Scope = new Map(scope);
      if (branch.when) {
        found.push(...inTemplate(script, branch.when as unknown as Json, `${at}/when`, scope));
        if ('of' in branch.when) subjects.push([branch.when.of, `${at}/when/of`]);
        else if (branch.when.as) inside.set(branch.when.as, 'value');
      }
      found.push(...inSteps(script, branch.steps ?? [], `${at}/steps`, inside));
      for (const [name, kind] of inside) scope.set(name, kind);
    }
  }
  for (const [name, at] of exchanges) found.push(...exchangeMistake(name, at, scope));
  for (const [name, at] of subjects) found.push(...pathMistake(script, name.split('.'), at, scope, name));
  return found;
};

/** Names under `$`, and exchanges that patterns name. */
const inTemplate = (script: Script, value: Json | undefined, at: string, scope: Scope): SchemaMistake[] => {
  if (typeof value === 'string') {
    try {
      return readText(value).flatMap(part =>
        typeof part === 'string' ? [] : pathMistake(script, part, at, scope, `$${part.join('.')}`),
      );
    } catch (error) {
      return [mistake(at, (error as Error).message)];
    }
  }
  if (typeof value !== 'object' || value === null || isSchemaLeaf(value)) return [];
  return Object.entries(value as Readonly<Record<string, Json>>).flatMap(([name, member]) => {
    const place = at + pointerStep(name);
    const isMatch = matchMembers.has(name) && (Array.isArray(member) || isObject(member));
    return isMatch ? inMatch(script, member, place, scope) : inTemplate(script, member, place, scope);
  });
};

const matchMembers: ReadonlySet<string> = new Set(['expect', 'match', 'until', 'received', 'after']);

const inMatch = (script: Script, match: unknown, at: string, scope: Scope): SchemaMistake[] => {
  const found = Array.isArray(match)
    ? match.flatMap((pattern, index) => inMatch(script, pattern, at + pointerStep(index), scope))
    : inTemplate(script, match as Json, at, scope);
  if (!isObject(match) || typeof match.response !== 'string') return found;
  return [...found, ...exchangeMistake(match.response, `${at}/response`, scope)];
};

const exchangeMistake = (name: string | undefined, at: string, scope: Scope): SchemaMistake[] => {
  if (name === undefined || scope.get(name) === 'exchange') return [];
  const exchanges = [...scope].filter(([, kind]) => kind === 'exchange').map(([known]) => known);
  const reason = scope.has(name) ? 'is not an exchange' : 'is not the name of an exchange before this step';
  return [mistake(at, `"${name}" ${reason}${didYouMean(name, exchanges)}`)];
};

const pathMistake = (
  script: Script,
  [root = '', ...path]: Path,
  at: string,
  scope: Scope,
  shown: string,
): SchemaMistake[] => {
  if (root === 'param' && path[0] !== undefined && !Object.hasOwn(script.parameters ?? {}, path[0])) {
    return [
      mistake(
        at,
        `unknown parameter "${path[0]}"${didYouMean(path[0], Object.keys(script.parameters ?? {}))}`,
      ),
    ];
  }
  const kind = scope.get(root);
  const isBuiltIn = (builtInNames as readonly string[]).includes(root);
  if (kind === undefined && !isBuiltIn) {
    const known = [...scope.keys(), ...builtInNames];
    return [mistake(at, `"${shown}" names nothing that is saved before this step${didYouMean(root, known)}`)];
  }
  const [side, member] = path;
  if (kind !== 'exchange' || side === undefined) return [];
  if (side !== 'request' && side !== 'response') {
    return [mistake(at, `"${root}" is an exchange; write ${root}.request or ${root}.response`)];
  }
  const members =
    side === 'request' ? ['jsonrpc', 'id', 'method', 'params'] : ['jsonrpc', 'id', 'result', 'error'];
  if (member === undefined || members.includes(member)) return [];
  const whole = [root, side, side === 'request' ? 'params' : 'result', ...path.slice(1)].join('.');
  return [
    mistake(
      at,
      `"${shown}" is no member of a frame; did you mean "${shown.startsWith('$') ? '$' : ''}${whole}"?`,
    ),
  ];
};

const savedBy = (step: Step): [string, Kind][] => {
  switch (verbOf(step)) {
    case 'request':
    case 'raw':
    case 'initialize':
      return 'as' in step && step.as ? [[step.as, 'exchange']] : [];
    case 'expect':
      return 'as' in step && step.as ? [[step.as, 'value']] : [];
    case 'new-session':
      return 'new-session' in step ? [[step['new-session'].as, 'value']] : [];
    case 'collect':
      return 'collect' in step ? [[step.collect.as, 'value']] : [];
    default:
      return [];
  }
};
