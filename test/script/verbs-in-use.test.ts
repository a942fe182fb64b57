import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Step, verbNames, verbOf } from '../../src/script/index.ts';
import { loadMockAgents, loadScenarios } from '../../src/script-library/index.ts';
import { isObject, type Json } from '../../src/wire/index.ts';

const scripts = [...(await loadScenarios()), ...(await loadMockAgents())].map(
  ({ script }) => script as unknown as Json,
);

/** Every object in the scripts. */
const nodes = (value: Json | undefined): { readonly [name: string]: Json | undefined }[] => {
  if (Array.isArray(value)) return value.flatMap(nodes);
  return isObject(value) ? [value, ...Object.values(value).flatMap(nodes)] : [];
};

const all = scripts.flatMap(nodes);
const steps = all.flatMap(({ steps }) => (Array.isArray(steps) ? (steps as unknown as Step[]) : []));

it('no verb of the script language is without a shipped script that needs it', () => {
  const used = new Set(steps.map(verbOf));
  assert.deepEqual(
    verbNames.filter(verb => !used.has(verb)),
    [],
  );
});

it('no option of a sending or waiting verb, and no kind of mutation, is without one either', () => {
  const used = new Set(all.flatMap(Object.keys));
  const options = [
    'delay',
    'chunk',
    'repeat',
    'at',
    'guard',
    'fault',
    'count',
    'within',
    'unless',
    'nth',
    'times',
  ];
  const mutations = ['drop', 'duplicate', 'set', 'unset'];
  const heads = ['requires', 'files', 'parameters', 'handlers', 'behaviour', 'breaks'];
  assert.deepEqual(
    [...options, ...mutations, ...heads].filter(name => !used.has(name)),
    [],
  );
});

it('no choice of a shipped script is without an else: whatever an agent does, the bench knows what it means', () => {
  const choices = steps.flatMap(step => ('either' in step ? [step.either] : []));
  assert.ok(choices.length > 10);
  assert.deepEqual(
    choices.filter(branches => branches.at(-1)!.else !== true),
    [],
  );
});
