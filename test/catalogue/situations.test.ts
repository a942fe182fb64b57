import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Evidence,
  gradeViolation,
  loadCatalogue,
  type Situation,
  situationNames,
} from '../../src/catalogue/index.ts';
import { holds, isComputed } from '../../src/catalogue/situations.ts';
import type { Json } from '../../src/wire/json.ts';
import type { Message } from '../../src/wire/message.ts';

const catalogue = loadCatalogue();
const cases = [...catalogue.requirements.values()].flatMap(({ cases: own = [] }) => own);

const evidence = (rest: Partial<Evidence> = {}): Evidence => ({ detail: 'seen', ...rest });
const result = (value: Json): Message => ({ type: 'result', id: 1, result: value });
const error = (code: number): Message => ({ type: 'error', id: 1, error: { code, message: 'no' } });
const request = (id: number | null): Message => ({ type: 'request', id, method: 'x', params: {} });
const update = (sessionUpdate: string): Message => ({
  type: 'notification',
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate } },
});

describe('situations', () => {
  it('map every situation that the catalogue describes, and describe each in the same words everywhere', () => {
    const words = new Map<string, Set<Situation>>();
    for (const { when, situation } of cases) {
      assert.ok(situationNames.includes(situation), `${when}: ${situation}`);
      words.set(when, (words.get(when) ?? new Set()).add(situation));
    }
    assert.deepEqual(
      [...words].filter(([, situations]) => situations.size !== 1),
      [],
    );
  });

  it('are all used by the catalogue', () => {
    const used = new Set(cases.map(({ situation }) => situation));
    assert.deepEqual(
      situationNames.filter(name => !used.has(name)),
      [],
    );
  });

  for (const name of situationNames) {
    it(`"${name}" holds when the rule names it, and not when the rule names another or none`, () => {
      assert.equal(holds(name, evidence({ situation: name })), true);
      assert.equal(holds(name, evidence({ situation: 'another' })), false);
      assert.equal(holds(name, evidence()), false);
    });
  }

  const computed: Record<string, { holds: Partial<Evidence>[]; not: Partial<Evidence>[] }> = {
    'no-answer': { holds: [{ timedOut: true }, { ended: true }], not: [{ message: error(-32601) }] },
    'crashed-or-silent': { holds: [{ timedOut: true }, { ended: true }], not: [{ message: result({}) }] },
    'lost-or-duplicate-answer': { holds: [{ timedOut: true }], not: [{ message: result({}) }] },
    'valid-result': {
      holds: [{ message: result({}) }, { message: result(null) }],
      not: [{ message: error(-32601) }, { timedOut: true }, { message: invalid('result-and-error') }],
    },
    'null-result': {
      holds: [{ message: result(null) }, { message: invalid('jsonrpc-missing', result(null)) }],
      // A schema rule carries a pointer, and knows by itself whether an empty object would do.
      not: [{ message: result({}) }, { message: result(null), pointer: '/result' }],
    },
    'error-code-32603': {
      holds: [{ message: error(-32603) }, { message: invalid('jsonrpc-wrong', error(-32603)) }],
      not: [{ message: error(-32602) }, { message: result({ code: -32603 }) }],
    },
    'null-request-id': {
      holds: [{ message: request(null) }],
      not: [{ message: request(0) }, { message: { type: 'error', id: null, error: { code: -32700 } } }],
    },
    'session-scoped-update': {
      holds: [
        'available_commands_update',
        'current_mode_update',
        'config_option_update',
        'session_info_update',
        'usage_update',
      ].map(kind => ({ message: update(kind) })),
      not: ['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan']
        .map((kind): Partial<Evidence> => ({ message: update(kind) }))
        .concat({ message: { type: 'notification', method: 'session/update', params: { update: null } } }),
    },
  };

  it('that are computed are all tabled here', () => {
    assert.deepEqual(situationNames.filter(isComputed).sort(), Object.keys(computed).sort());
  });

  for (const [name, { holds: held, not }] of Object.entries(computed)) {
    it(`"${name}" is computed from the evidence`, () => {
      for (const each of held)
        assert.equal(holds(name as Situation, evidence(each)), true, JSON.stringify(each));
      for (const each of not)
        assert.equal(holds(name as Situation, evidence(each)), false, JSON.stringify(each));
    });
  }
});

describe('the verdict of a violation', () => {
  const grade = (id: string, rest: Partial<Evidence> = {}) => {
    const graded = gradeViolation(catalogue.requirements.get(id)!, evidence(rest));
    return [graded.verdict, graded.case?.when];
  };

  it('is the default of the requirement where no case fits', () => {
    assert.deepEqual(grade('CANCEL-02'), ['fail', undefined]);
    assert.deepEqual(grade('FRM-04'), ['fail', undefined]);
    assert.deepEqual(grade('PROMPT-18'), ['info', undefined]);
  });

  it('is that of the case that fits, also where it is worse', () => {
    assert.deepEqual(grade('LOAD-06', { timedOut: true }), ['fail', 'no answer within the time limit']);
    assert.deepEqual(grade('LOAD-06', { message: result({}) }), ['warn', 'a valid result']);
    assert.equal(grade('FRM-04', { situation: 'cosmetic-line' })[0], 'warn');
    assert.equal(grade('CANCEL-04', { message: update('usage_update') })[0], 'info');
    assert.equal(grade('CANCEL-04', { message: update('plan') })[0], 'fail');
  });

  it('is that of the first case where two fit', () => {
    const both = { situation: 'known-to-unstable', message: result(null) };
    assert.deepEqual(grade('SCH-01', both)[0], 'warn');
    const [first, second] = [catalogue.requirements.get('SCH-01')!.cases![0]!, 'known-to-unstable'];
    assert.notEqual(first.situation, second);
    assert.equal(grade('SCH-01', both)[1], first.when);
  });
});

function invalid(fault: 'result-and-error' | 'jsonrpc-missing' | 'jsonrpc-wrong', meant?: Message): Message {
  return { type: 'invalid', fault, meant: meant?.type === 'invalid' ? undefined : meant };
}
