/** What only a real process can do wrong at its end, so that no mock agent shows it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { certified, requestFor } from '../helpers/certify.ts';

const parent = fileURLToPath(new URL('fixtures/parent.mjs', import.meta.url));

it('an agent that ends with its input and leaves a process behind is told of it (A-33)', async () => {
  const request = requestFor([process.execPath, parent], { only: ['stdio/end-of-input'] });
  await certified(request, ({ requirements }) => {
    const ending = requirements.find(({ id }) => id === 'FRM-12')!;
    assert.equal(ending.verdict, 'info');
    const [finding] = ending.findings.filter(({ scenario }) => scenario === 'stdio/end-of-input');
    assert.match(finding!.evidence.detail, /left 1 of its processes running/);
    assert.match(finding!.got?.label ?? '', /left-behind/);
  });
});
