/** Lines, envelopes, ids. */
import { agent, client } from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const ok = agent({ method: '_x/note', params: {} });
const ask = client({ id: 5, method: 'session/list', params: {} });

export const wireCases: readonly RuleCase[] = [
  {
    requirement: 'FRM-01',
    rule: 'framing',
    kept: [agent({ method: '_x/note', params: { text: 'grün 漢字 🙂' } })],
    broken: ['A>C RAW {"jsonrpc":"2.0","method":"_x/note","params":{"a":"\\xff\\xfe"}}'],
    exercised: 1,
  },
  {
    requirement: 'FRM-02',
    rule: 'framing',
    about: 'a banner',
    kept: [ok, ok],
    broken: ['A>C RAW running migration 0007 ...'],
    exercised: 2,
  },
  {
    requirement: 'FRM-02',
    rule: 'framing',
    about: 'a carriage return before the line feed (A-25)',
    kept: [ok],
    broken: ['A>C RAW {"jsonrpc":"2.0","method":"_x/note"}\\r'],
    verdict: 'warn',
  },
  {
    requirement: 'FRM-02',
    rule: 'framing',
    about: 'a blank line (A-25)',
    kept: [ok],
    broken: ['A>C RAW '],
    verdict: 'warn',
  },
  {
    requirement: 'FRM-02',
    rule: 'framing',
    about: 'a byte-order mark (A-25)',
    kept: [ok],
    broken: ['A>C RAW \\xef\\xbb\\xbf{"jsonrpc":"2.0","method":"_x/note"}'],
  },
  {
    requirement: 'FRM-02',
    rule: 'framing',
    about: 'a last line without its line feed',
    kept: [ok, 'EVENT eof'],
    broken: ['A>C RAW- {"jsonrpc":"2.0","method":"_x/note"}', 'EVENT eof'],
  },
  {
    requirement: 'FRM-02',
    rule: 'framing',
    about: 'a piece of a line that the bench cut by killing the agent',
    kept: [ok, 'EVENT kill', 'A>C RAW- {"jsonrpc":"2.0","met'],
  },
  {
    requirement: 'FRM-02',
    rule: 'envelope',
    countedBy: 'framing',
    about: 'an object that is no message',
    kept: [ok],
    broken: ['A>C {"jsonrpc":"2.0"}'],
  },
  {
    requirement: 'FRM-03',
    rule: 'framing',
    kept: [agent({ method: '_x/note', params: { text: 'two\nlines' } })],
    broken: ['A>C RAW {', 'A>C RAW   "jsonrpc": "2.0",', 'A>C RAW   "method": "_x/note"', 'A>C RAW }'],
    exercised: 1,
  },
  {
    requirement: 'FRM-03',
    rule: 'framing',
    about: 'a raw newline inside a string',
    kept: [agent({ method: '_x/note', params: { text: 'one\r\ntwo' } })],
    broken: ['A>C RAW {"jsonrpc":"2.0","method":"_x/note","params":{"text":"one', 'A>C RAW two"}}'],
  },
  {
    requirement: 'FRM-03',
    rule: 'framing',
    about: 'an escaped backslash before an n is no newline',
    kept: [agent({ method: '_x/note', params: { path: 'C:\\new', text: 'a\nb' } })],
    exercised: 1,
  },
  {
    requirement: 'FRM-04',
    rule: 'framing',
    kept: [ok],
    broken: ['A>C RAW \\u001b[?25l'],
    exercised: 1,
  },
  {
    requirement: 'FRM-04',
    rule: 'framing',
    about: 'an escape sequence glued to a frame',
    kept: [ok],
    broken: ['A>C RAW \\u001b]0;title\\u0007{"jsonrpc":"2.0","method":"_x/note"}'],
  },
  {
    requirement: 'FRM-04',
    rule: 'envelope',
    countedBy: 'framing',
    kept: [ok],
    broken: ['A>C {"jsonrpc":"2.0","method":5}'],
  },
  {
    requirement: 'FRM-05',
    rule: 'framing',
    subject: 'client',
    kept: [ask],
    broken: ['C>A RAW Content-Length: 40'],
  },
  {
    requirement: 'FRM-05',
    rule: 'envelope',
    countedBy: 'framing',
    subject: 'client',
    kept: [ask],
    broken: ['C>A {"jsonrpc":"2.0"}'],
  },
  { requirement: 'FRM-06', rule: 'framing', kept: ['EVENT stderr loading'] },
  {
    requirement: 'RPC-15',
    rule: 'framing',
    kept: [ok],
    broken: [`A>C RAW [{"jsonrpc":"2.0","method":"_x/note"}]`],
  },
  { requirement: 'RPC-15', rule: 'framing', about: 'a bare string', kept: [ok], broken: ['A>C RAW "ready"'] },
];
