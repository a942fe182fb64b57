import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compiled, compiledUrl } from '../../src/base/index.ts';
import { createExplain } from '../../src/protocol/explain.ts';
import { releases } from '../../src/protocol/index.ts';
import type { Gate, ReleaseData } from '../../src/protocol/released.ts';
import { gateOf } from '../../tools/schemas/gate.ts';
import { rootsOf } from '../../tools/schemas/release.ts';
import { shapesOf } from '../../tools/schemas/shapes.ts';
import { assertAgrees } from './agreement.ts';
import { plainAjv, readJson, schemaOf, strictTwin } from './releases.ts';
import { fitting, mutated } from './samples.ts';

const perDefinition = 200;

for (const release of releases) {
  const schema = schemaOf(release);
  const data = readJson<ReleaseData>(compiled(`generated/acp/${release}.json`));
  const explain = createExplain(data);
  const eachSample = (check: (definition: string, value: unknown) => void): void => {
    for (const definition of rootsOf(data)) {
      const good = fitting(schema, definition);
      fc.assert(
        fc.property(
          fc.oneof({ weight: 1, arbitrary: good }, { weight: 3, arbitrary: mutated(good) }),
          value => check(definition, value),
        ),
        { numRuns: perDefinition },
      );
    }
  };

  test(`samples made from the ${release} schema fit it`, () => {
    const plain = plainAjv(schema);
    for (const definition of rootsOf(data)) {
      fc.assert(
        fc.property(fitting(schema, definition), value => assert.ok(plain(definition, value))),
        { numRuns: 20 },
      );
    }
  });

  test(`the gate of ${release}, without the checks of the text, accepts what the strict twin of the plain schema accepts`, () => {
    const twin = strictTwin(schema);
    const gate = gateOf(shapesOf(schema));
    eachSample((definition, value) => {
      assert.equal(gate[definition]!(value), twin(definition, value), definition);
    });
  });

  test(`the explanation of ${release} finds nothing exactly where its gate refuses nothing`, async () => {
    const gate = (await import(compiledUrl(`generated/acp/${release}.gate.js`))) as Gate;
    eachSample((definition, value) => {
      const faults = explain(definition, value as never, '');
      assert.equal(gate[definition]!(value), faults.length === 0, definition);
    });
  });

  test(`the explanation of ${release} calls invalid what the plain schema calls invalid`, () => {
    const plain = plainAjv(schema);
    eachSample((definition, value) => {
      assertAgrees(plain, definition, value, explain(definition, value as never, ''));
    });
  });
}
