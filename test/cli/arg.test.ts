import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choice,
  duration,
  flag,
  list,
  option,
  pair,
  positional,
  rest,
  text,
  wholeNumber,
} from '../../src/cli/arg.ts';

const parsed = (arg: { parse(values: readonly string[], place: string): unknown }, ...values: string[]) =>
  arg.parse(values, '--it');

describe('arguments', () => {
  it('a flag is on when it was given', () => {
    assert.equal(parsed(flag('')), false);
    assert.equal(parsed(flag(''), 'true'), true);
  });

  it('an option has its fallback, or the last value that was given', () => {
    const arg = option('n', '', wholeNumber(1), 7);
    assert.equal(parsed(arg), 7);
    assert.equal(parsed(arg, '1', '2'), 2);
  });

  it('a list has every value in the order given', () => {
    assert.deepEqual(parsed(list('name', '', text)), []);
    assert.deepEqual(parsed(list('name', '', text), 'b', 'a'), ['b', 'a']);
  });

  it('a positional has its word, a rest all words', () => {
    assert.equal(parsed(positional('file', ''), 'a'), 'a');
    assert.deepEqual(parsed(rest('word', '', false), 'a', '--b'), ['a', '--b']);
  });
});

describe('values', () => {
  const refused = (read: (value: string, place: string) => unknown, value: string, message: string) =>
    assert.throws(() => read(value, '--it'), { name: 'UserError', message, exitCode: 2 });

  it('a text is not empty', () => {
    assert.equal(text(' ', '--it'), ' ');
    refused(text, '', '--it  is empty; give a value, or leave it away');
    assert.throws(() => parsed(positional('file', ''), ''), /is empty/);
  });

  it('a whole number has a least value', () => {
    assert.equal(wholeNumber(0)('0', '--it'), 0);
    for (const value of ['0', '-1', '1.5', '1e3', '', 'x', ' 1', '99999999999999999999'])
      refused(wholeNumber(1), value, `--it  "${value}" is not a whole number from 1 upwards`);
  });

  it('a choice is one of its words', () => {
    const read = choice('fail', 'warn');
    assert.equal(read('warn', '--it'), 'warn');
    refused(read, 'wran', '--it  "wran" is not one of fail, warn; did you mean "warn"?');
    refused(read, 'nothing', '--it  "nothing" is not one of fail, warn');
  });

  it('a pair is split at its first equals sign', () => {
    assert.deepEqual(pair('A=b=c', '--it'), ['A', 'b=c']);
    assert.deepEqual(pair('A=', '--it'), ['A', '']);
    for (const value of ['A', '=b', ''])
      refused(pair, value, `--it  "${value}" is not of the form NAME=value`);
  });

  it('a duration has a unit', () => {
    assert.equal(duration('1.5s', '--it'), 1500);
    assert.equal(duration('2m', '--it'), 120_000);
    for (const value of ['5', '5h', '-1s', 's', '']) {
      refused(
        duration,
        value,
        `--it  "${value}" is not a duration; write a number and a unit, such as 500ms, 30s or 5m`,
      );
    }
  });
});
