import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { kindsOfVersion2, methodsOfVersion2 } from '../../src/rules/agreed-version.ts';

interface Definition {
  readonly oneOf?: readonly Definition[];
  readonly anyOf?: readonly Definition[];
  readonly properties?: Readonly<Record<string, { readonly const?: string }>>;
  readonly 'x-method'?: string;
}

const names = (file: string) => {
  const path = shipped(`node_modules/acp-sdk-2.4.0/schema/${file}`);
  const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as { $defs: Record<string, Definition> };
  const { oneOf, anyOf } = $defs.SessionUpdate!;
  return {
    kinds: (oneOf ?? anyOf ?? []).flatMap(({ properties }) => properties?.sessionUpdate?.const ?? []),
    methods: Object.values($defs).flatMap(definition => definition['x-method'] ?? []),
  };
};

describe('the names of version 2', () => {
  const [one, two] = [names('v1/schema.unstable.json'), names('v2/schema.json')];
  const onlyInTwo = (kind: 'kinds' | 'methods') =>
    new Set(two[kind].filter(name => !one[kind].includes(name)));

  it('are the kinds of updates that the schemas of version 1 lack', () => {
    assert.deepEqual(kindsOfVersion2, onlyInTwo('kinds'));
  });

  it('are the methods that the schemas of version 1 lack', () => {
    assert.deepEqual(methodsOfVersion2, onlyInTwo('methods'));
  });
});
