import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBehaviour } from '../../src/reference-agent/index.ts';
import type { Json } from '../../src/wire/index.ts';

describe('readBehaviour', () => {
  it('keeps what is given and fills in the rest', () => {
    const behaviour = readBehaviour({ capabilities: { load: false }, pageSize: 3 });
    assert.equal(behaviour.capabilities.load, false);
    assert.equal(behaviour.capabilities.list, true);
    assert.equal(behaviour.pageSize, 3);
    assert.deepEqual(readBehaviour(), readBehaviour({}));
  });

  const mistakes: readonly (readonly [given: Json, message: string])[] = [
    [{ capabilites: {} }, 'behaviour.capabilites  unknown member; did you mean "capabilities"?'],
    [{ capabilities: { lod: true } }, 'behaviour.capabilities.lod  unknown member; did you mean "load"?'],
    [{ modes: 'no' }, 'behaviour.modes  expected a boolean, got "no"'],
    [{ modes: null }, 'behaviour.modes  expected a boolean, got null'],
    [[], 'behaviour  expected a map, got []'],
    [{ auth: true }, 'behaviour.auth  expected a map, got true'],
    [{ auth: { methods: {} } }, 'behaviour.auth.methods  expected a list, got {}'],
    [
      { auth: { methods: [{ id: 'a' }] } },
      'behaviour.auth.methods.0  expected a map with id and name, got {"id":"a"}',
    ],
    [{ protocolVersion: 65536 }, 'behaviour.protocolVersion  expected an integer from 0 to 65535, got 65536'],
    [{ pageSize: 0 }, 'behaviour.pageSize  expected an integer from 1 to 1000, got 0'],
    [{ turn: 'refusl' }, 'behaviour.turn  "refusl" is no turn; did you mean "refusal"?'],
  ];
  for (const [given, message] of mistakes) {
    it(`says of ${JSON.stringify(given)}: ${message}`, () => {
      assert.throws(() => readBehaviour(given), { name: 'UserError', message });
    });
  }

  it('wants a unit for the pace', () => {
    assert.throws(() => readBehaviour({ pace: '20' }), {
      name: 'UserError',
      message: /^behaviour\.pace {2}"20" is not/,
    });
  });
});
