import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProtocol, type Protocol } from '../../src/protocol/index.ts';
import { createRuleFold } from '../../src/rules/index.ts';
import { createCollectingJudge } from '../helpers/collecting-judge.ts';
import { exchange } from '../helpers/journal.ts';
import { initialize, newSession, prompt } from '../helpers/steps.ts';
import { messageCases } from './cases/messages.ts';
import { sessionStateCases } from './cases/session-state.ts';
import { sessionCases } from './cases/sessions.ts';
import { toolCases } from './cases/tools.ts';
import { turnCases } from './cases/turns.ts';

/** Names that every object has, so that a table which is one knows them without being told. */
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

const journals = [messageCases, sessionStateCases, sessionCases, toolCases, turnCases]
  .flat()
  .flatMap(({ kept, broken = [] }) => [kept, broken]);

let protocol: Protocol;
before(async () => {
  protocol = await loadProtocol('latest');
});

const judgedIds = (steps: readonly string[], subject: 'agent' | 'client'): ReadonlySet<string> => {
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol, subject, judge });
  for (const entry of exchange(steps)) fold.step(entry);
  fold.end();
  return new Set([...judge.counts.keys(), ...judge.violatedIds()]);
};

describe('names off the wire', () => {
  const members = [
    'method',
    'sessionUpdate',
    'kind',
    'status',
    'type',
    'stopReason',
    'mode',
    'outcome',
    'id',
  ];
  for (const member of [
    ...members,
    'sessionId',
    'toolCallId',
    'optionId',
    'configId',
    'modeId',
    'category',
  ]) {
    it(`may be those of an object's own machinery: ${member}`, () => {
      const { requirements } = loadCatalogue();
      const value = new RegExp(`"${member}":"[^"]*"`, 'g');
      for (const name of inherited) {
        const renamed = journals
          .filter(steps => steps.some(step => step.search(value) !== -1))
          // The introductions stay, without which most rules look at nothing.
          .map(steps =>
            steps.map(step =>
              /initialize/.test(step) ? step : step.replace(value, `"${member}":"${name}"`),
            ),
          );
        for (const steps of renamed) {
          for (const subject of ['agent', 'client'] as const) {
            for (const id of judgedIds(steps, subject)) assert.ok(requirements.has(id), `judges ${id}`);
          }
        }
      }
    });
  }
});

describe('an id of a wrong type', () => {
  it('is not the id of a request with id null that is still open', () => {
    const ask = (id: unknown) =>
      `A>C ${JSON.stringify({ jsonrpc: '2.0', id, method: 'fs/read_text_file', params: { sessionId: 's-1', path: '/w/a' } })}`;
    const open = [...initialize(), ...newSession(), prompt()];
    assert.ok(!violated([...open, ask(null), ask(true)]).includes('RPC-08'));
    assert.ok(violated([...open, ask(null), ask(null)]).includes('RPC-08'));
  });
});

const violated = (steps: readonly string[]): readonly string[] => {
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol, subject: 'agent', judge });
  for (const entry of exchange(steps)) fold.step(entry);
  return judge.violatedIds();
};
