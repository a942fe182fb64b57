/** Envelopes, ids, and what answers what. */
import { agent, agentAsks, cancel, client, initialize, prompt, ready, stopped } from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const ok = agent({ method: '_x/note', params: {} });
const ask = client({ id: 5, method: 'session/list', params: {} });
const list = agent({ id: 5, result: { sessions: [] } });
const unknown = client({ id: 6, method: '_bench/nothing' });

export const messageCases: readonly RuleCase[] = [
  { requirement: 'RPC-01', rule: 'envelope', kept: [ok], broken: ['A>C {"method":"_x/note"}'] },
  {
    requirement: 'RPC-01',
    rule: 'envelope',
    about: 'a number',
    kept: [ok],
    broken: ['A>C {"jsonrpc":2,"method":"_x"}'],
  },
  {
    requirement: 'RPC-02',
    rule: 'envelope',
    kept: [ask, list],
    broken: [ask, 'A>C {"jsonrpc":"2.0","id":5,"result":{"sessions":[]},"error":null}'],
    exercised: 1,
  },
  {
    requirement: 'RPC-02',
    rule: 'envelope',
    about: 'an error is meant where the result is null',
    kept: [ask, list, ask, 'A>C {"jsonrpc":"2.0","id":5,"result":null,"error":{"code":1,"message":"no"}}'],
  },
  {
    requirement: 'RPC-03',
    rule: 'envelope',
    kept: [ask, agent({ id: 5, error: { code: -32601, message: 'Method not found' } })],
    broken: [ask, agent({ id: 5, error: { code: '404', message: 'no' } })],
    exercised: 1,
  },
  {
    requirement: 'RPC-03',
    rule: 'envelope',
    about: 'a result beside the error',
    kept: [
      ask,
      'A>C {"jsonrpc":"2.0","id":5,"result":{"sessions":[]},"error":null}',
      ask,
      agent({ id: 5, error: { code: 1, message: 'no' } }),
    ],
    broken: [ask, agent({ id: 5, result: {}, error: { code: 1, message: 'no' } })],
  },
  {
    requirement: 'RPC-07',
    rule: 'envelope',
    kept: [agent({ id: 'a-1', method: '_x/ask' })],
    broken: [agent({ id: 1.5, method: '_x/ask' })],
    pointer: '/id',
  },
  {
    requirement: 'RPC-07',
    rule: 'envelope',
    about: 'an id of another type',
    kept: [
      agent({ id: 0, method: '_x/ask' }),
      'C>A FAULTY {"jsonrpc":"2.0","id":{"n":7},"method":"_x/ask"}',
      agent({ id: { n: 7 }, error: { code: -32600, message: 'Invalid request' } }),
    ],
    broken: [agent({ id: { n: 1 }, method: '_x/ask' })],
  },
  {
    requirement: 'RPC-07',
    rule: 'envelope',
    about: 'a null id (A-17)',
    kept: [agent({ id: 1, method: '_x/ask' })],
    broken: [agent({ id: null, method: '_x/ask' })],
    verdict: 'warn',
  },
  {
    requirement: 'RPC-16',
    rule: 'envelope',
    kept: [ask, agent({ id: 5, error: { code: 4711, message: 'own code' } })],
    broken: [ask, agent({ id: 5, error: { code: 'E_BAD', message: 'no' } })],
    pointer: '/error/code',
  },
  {
    requirement: 'RPC-17',
    rule: 'envelope',
    kept: [ask, agent({ id: 5, error: { code: 1, message: 'Method not found' } })],
    broken: [ask, agent({ id: 5, error: { code: 1, message: 'Error: boom\n    at run (/a.js:1:2)' } })],
    verdict: 'warn',
  },
  {
    requirement: 'RPC-17',
    rule: 'envelope',
    about: 'a message of 301 characters',
    kept: [ask, agent({ id: 5, error: { code: 1, message: 'x'.repeat(300) } })],
    broken: [ask, agent({ id: 5, error: { code: 1, message: 'x'.repeat(301) } })],
    verdict: 'warn',
  },
  {
    requirement: 'RPC-18',
    rule: 'envelope',
    kept: [ok],
    broken: [agent({ method: '_x/note', params: ['positional'] })],
    pointer: '/params',
  },

  {
    requirement: 'RPC-04',
    rule: 'answers',
    kept: [client({ id: '7', method: '_x/ask' }), agent({ id: '7', result: {} })],
    broken: [client({ id: '7', method: '_x/ask' }), agent({ id: 7, result: {} })],
    pointer: '/id',
    exercised: 1,
  },
  {
    requirement: 'RPC-04',
    rule: 'answers',
    about: 'id 0 turned into text',
    kept: [client({ id: 0, method: '_x/ask' }), agent({ id: 0, result: {} })],
    broken: [client({ id: 0, method: '_x/ask' }), agent({ id: '0', result: {} })],
  },
  {
    requirement: 'RPC-04',
    rule: 'answers',
    about: 'a large integer',
    kept: [client({ id: 9007199254740991, method: '_x/ask' }), agent({ id: 9007199254740991, result: {} })],
    broken: [
      client({ id: 9007199254740991, method: '_x/ask' }),
      agent({ id: '9007199254740991', result: {} }),
    ],
  },
  {
    requirement: 'RPC-04',
    rule: 'answers',
    about: 'a result with id null',
    kept: [client({ id: 'a', method: '_x/ask' }), agent({ id: 'a', result: {} })],
    broken: [client({ id: 'a', method: '_x/ask' }), agent({ id: null, result: {} })],
  },
  {
    requirement: 'RPC-05',
    rule: 'answers',
    about: 'a second answer',
    kept: [ask, list],
    broken: [ask, list, list],
    exercised: 1,
  },
  {
    requirement: 'RPC-05',
    rule: 'answers',
    about: 'an answer to nothing',
    kept: [ask, list],
    broken: [list],
  },
  {
    requirement: 'RPC-05',
    rule: 'answers',
    about: 'both directions use the same ids',
    kept: [
      client({ id: 1, method: '_x/a' }),
      ...agentAsks('1', '_x/b', {}, {}),
      agent({ id: 1, result: {} }),
    ],
    exercised: 1,
  },
  {
    requirement: 'RPC-08',
    rule: 'answers',
    kept: [agent({ id: 1, method: '_x/a' }), agent({ id: 2, method: '_x/b' })],
    broken: [agent({ id: 1, method: '_x/a' }), agent({ id: 1, method: '_x/b' })],
    exercised: 1,
  },
  {
    requirement: 'RCANCEL-01',
    rule: 'answers',
    kept: [
      agent({ id: 'p', method: '_x/a' }),
      agent({ method: '$/cancel_request', params: { requestId: 'p' } }),
    ],
    broken: [agent({ method: '$/cancel_request', params: { requestId: 'q' } })],
    verdict: 'info',
  },
  {
    requirement: 'RPC-06',
    rule: 'unanswered',
    kept: [client({ method: '_x/note' }), ask, list],
    broken: [client({ method: '_x/note' }), 'A>C {"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}'],
    exercised: 1,
  },
  {
    requirement: 'RPC-06',
    rule: 'unanswered',
    about: 'an error with id null',
    kept: [client({ method: '_x/note' }), 'EVENT eof'],
    broken: [client({ method: '_x/note' }), agent({ id: null, error: { code: -32601, message: 'no' } })],
    exercised: 1,
  },
  {
    requirement: 'RPC-06',
    rule: 'unanswered',
    about: 'a null-id error after an unreadable line is none (A-26)',
    kept: [
      client({ method: '_x/note' }),
      'C>A RAW {"jsonrpc":',
      agent({ id: null, error: { code: -32700, message: 'Parse error' } }),
      ask,
      list,
    ],
  },
  {
    requirement: 'RPC-11',
    rule: 'unanswered',
    kept: ['C>A RAW {"jsonrpc":', agent({ id: null, error: { code: -32700, message: 'Parse error' } })],
    broken: ['C>A RAW {"jsonrpc":', agent({ error: { code: -32700, message: 'Parse error' } })],
    verdict: 'warn',
  },
  {
    requirement: 'CANCEL-06',
    rule: 'unanswered',
    kept: [...ready, cancel(), ask, list],
    broken: [...ready, cancel(), agent({ id: null, error: { code: -32601, message: 'no' } })],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'CANCEL-06',
    rule: 'cancel',
    kept: [...ready, cancel(), prompt(), stopped()],
    broken: [...ready, cancel(), prompt(), stopped('cancelled')],
    verdict: 'warn',
  },
  {
    requirement: 'EXT-05',
    rule: 'schema',
    kept: [agent({ method: '_acme/note' })],
    broken: [agent({ id: 1, method: 'craft/drainMidTurnQueue' })],
    pointer: '/method',
  },
  {
    requirement: 'EXT-10',
    rule: 'extensions',
    kept: [agent({ method: '_acme/note' })],
  },
  {
    requirement: 'EXT-09',
    rule: 'extensions',
    kept: [...initialize({ agent: { _meta: { 'acme.dev/notes': true } } }), agent({ method: '_acme/note' })],
    broken: [...initialize(), agent({ method: '_acme/note' })],
    verdict: 'warn',
  },
  {
    requirement: 'EXT-01',
    rule: 'extensions',
    kept: [unknown, agent({ method: '_acme/note', params: { _meta: { a: 1 } } })],
    broken: [
      ...ready,
      agent({
        method: 'session/update',
        params: { sessionId: 's-1', _meta: 5, update: { sessionUpdate: 'plan', entries: [] } },
      }),
    ],
  },
  {
    requirement: 'EXT-04',
    rule: 'extensions',
    kept: [
      agent({
        method: '_acme/note',
        params: { _meta: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } },
      }),
    ],
    broken: [agent({ method: '_acme/note', params: { _meta: { traceparent: '00-xyz' } } })],
    verdict: 'warn',
  },
];
