/** What two peers owe each other beyond a message: ids as they were, no endless answers, an orderly end. */
import { agent, asks, cancel, client, prompt, ready } from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const ask = (id: string | number) => client({ id, method: '_x/ask' });
const done = (id: string | number | null) => agent({ id, result: {} });
const failed = (message: string, code = -32603) => agent({ id: 7, error: { code, message } });
const parseError = { code: -32700, message: 'Parse error' };

export const peerCases: readonly RuleCase[] = [
  {
    requirement: 'RPC-04',
    rule: 'answers',
    about: 'a string whose bytes were decoded in pieces',
    kept: [ask('id-漢字'), done('id-漢字')],
    broken: [ask('id-漢字'), done('id-\ufffd\ufffd\ufffd字')],
    pointer: '/id',
  },
  {
    requirement: 'RPC-04',
    rule: 'answers',
    about: 'an integer that was cut to 32 bits',
    kept: [ask(4294967297), done(4294967297)],
    broken: [ask(4294967297), done(1)],
  },
  {
    requirement: 'RPC-04',
    rule: 'answers',
    about: 'an integer that went through floating point',
    kept: [ask(9007199254740991), done(9007199254740991)],
    broken: [ask(9007199254740991), done(9007199254740992)],
  },
  {
    requirement: 'RPC-05',
    rule: 'answers',
    about: 'what a lenient reader finds in a line that is no message',
    kept: [
      'C>A RAW \\xef\\xbb\\xbf{"jsonrpc":"2.0","id":"bom","method":"_x/ask"}',
      done('bom'),
      'C>A RAW {"jsonrpc":"2.0","id":78,"method":"_x/\\xff"}',
      done(78),
      'C>A FAULTY {"jsonrpc":"2.0","id":79,"method":1}',
      agent({ id: 79, error: { code: -32600, message: 'Invalid request' } }),
      ask(1),
      done(1),
    ],
    broken: ['C>A RAW {"jsonrpc":"2.0","id":78,"method":"_x/\\xff"}', done(78), done(78)],
  },
  {
    requirement: 'RPC-05',
    rule: 'unanswered',
    countedBy: 'answers',
    about: 'an error with id null is no request',
    kept: [client({ id: null, error: parseError }), ask(1), done(1)],
    broken: [client({ id: null, error: parseError }), agent({ id: null, error: parseError })],
  },
  {
    requirement: 'RPC-05',
    rule: 'unanswered',
    countedBy: 'answers',
    about: 'the refusal of an earlier line may come after an error with id null (A-26)',
    kept: [
      'C>A RAW not json',
      client({ id: null, error: parseError }),
      agent({ id: null, error: parseError }),
      ask(1),
      done(1),
    ],
  },
  {
    requirement: 'RPC-05',
    rule: 'answers',
    about: 'errors with id null for several lines (A-26)',
    kept: [
      'C>A FAULTY {"jsonrpc":"2.0","id":{"n":7},"method":"_x/ask"}',
      'C>A RAW not json',
      agent({ id: null, error: parseError }),
      agent({ id: null, error: parseError }),
    ],
  },
  {
    requirement: 'FRM-12',
    rule: 'stdio',
    kept: ['EVENT input-closed', 'EVENT eof', 'EVENT exit'],
    broken: ['EVENT input-closed', 'EVENT eof', 'EVENT exit', 'EVENT left-behind'],
    verdict: 'info',
    exercised: 1,
  },
  {
    requirement: 'FRM-12',
    rule: 'stdio',
    about: 'who was killed tidies nothing up',
    kept: ['EVENT input-closed', 'EVENT kill', 'EVENT exit', 'EVENT left-behind'],
    exercised: 0,
  },
  {
    requirement: 'RCANCEL-04',
    rule: 'request-cancel',
    kept: [...ready, prompt(), failed('The turn was cancelled', -32800)],
    broken: [...ready, prompt(), failed('The operation was aborted')],
    verdict: 'warn',
    pointer: '/error/code',
    exercised: 1,
  },
  {
    requirement: 'RCANCEL-04',
    rule: 'request-cancel',
    about: 'somebody asked for it',
    kept: [
      ...ready,
      prompt(),
      cancel(),
      failed('The turn was cancelled'),
      prompt(8),
      client({ method: '$/cancel_request', params: { requestId: 8 } }),
      agent({ id: 8, error: { code: 1, message: 'Cancelled' } }),
      prompt(9),
      ...asks(10, 'session/close', { sessionId: 's-1' }, {}),
      agent({ id: 9, error: { code: 1, message: 'Cancelled' } }),
    ],
    exercised: 0,
  },
  {
    requirement: 'RCANCEL-04',
    rule: 'request-cancel',
    about: 'an error that tells of cancellation and is none',
    kept: [...ready, prompt(), failed('A finished turn cannot be cancelled')],
    exercised: 0,
  },
];
