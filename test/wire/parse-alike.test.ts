import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createAlikeParser } from '../../src/wire/parse-alike.ts';

const chunk = (text: string, rest = ''): string =>
  `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${text}}${rest}}}}`;

/** What came of each line: its value with the order of its members, or the complaint; and whether a model helped. */
const parsed = (lines: readonly string[]): { texts: readonly string[]; alike: readonly boolean[] } => {
  const parser = createAlikeParser();
  const alike: boolean[] = [];
  const texts = lines.map(line => {
    const text = outcome(() => parser.parse(line));
    alike.push(parser.model() !== undefined);
    return text;
  });
  return { texts, alike };
};

const outcome = (parse: () => unknown): string => {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    return (error as Error).message;
  }
};

const plainly = (lines: readonly string[]): readonly string[] =>
  lines.map(line => outcome(() => JSON.parse(line)));

describe('a stream of chunks', () => {
  it('is parsed by what its lines have in common, from the third on', () => {
    const lines = ['"one"', '"two "', '"größer 🚀"', '""', '"text"'].map(text =>
      chunk(text, ',"messageId":"m"'),
    );
    const { texts, alike } = parsed(lines);
    assert.deepEqual(texts, plainly(lines));
    assert.deepEqual(alike, [false, false, true, true, true]);
  });

  it('goes back to the parser for an escape, a quote, a control character and another line', () => {
    const known = [chunk('"one"'), chunk('"two"')];
    for (const line of [
      chunk('"a\\nb"'),
      chunk('"a","text":"b"'),
      chunk('"a\tb"'),
      chunk('"a\\"'),
      chunk('"a"}},"other":{"x":{"text":"b"'),
      chunk('7'),
      chunk('"one"', ',"messageId":"m"'),
      chunk('"three"').slice(0, -1),
      `${chunk('"three"')} `,
      chunk('"three"').replace('agent', 'user'),
    ]) {
      const { texts, alike } = parsed([...known, line]);
      assert.deepEqual(texts, plainly([...known, line]));
      assert.equal(alike[2], false, line);
    }
  });

  it('tells of each alike line the value that it equals but for its text', () => {
    const parser = createAlikeParser();
    parser.parse(chunk('"one"'));
    parser.parse(chunk('"two"'));
    const value = parser.parse(chunk('"three"'));
    const model = parser.model();
    assert.deepEqual(value, JSON.parse(chunk('"three"')));
    assert.deepEqual(model, JSON.parse(chunk('"two"')));
  });
});

/** Lines that differ in little: pieces of one vocabulary, some of which are no JSON in their place. */
const text = fc.oneof(
  fc.constantFrom(
    'one',
    'text',
    'm',
    's',
    '',
    'agent_message_chunk',
    'a\\nb',
    '\\u0041',
    '\\',
    'a"',
    '"},"x":"',
    '\t',
  ),
  fc.string({ unit: 'binary' }).map(raw => JSON.stringify(raw).slice(1, -1)),
);
const rest = fc.constantFrom(
  '',
  ',"messageId":"m"',
  ',"text":"one"',
  ',"content":{"text":"one"}',
  ',"_meta":{"a":[1]}',
);
const shape = fc.constantFrom<(text: string, rest: string) => string>(
  (text, rest) => chunk(`"${text}"`, rest),
  (text, rest) => chunk(` "${text}" `, rest),
  (text, rest) => chunk(`"${text}","text":"${text}"`, rest),
  (text, rest) =>
    `{"params":{"update":{"content":{"text":"one","text":"${text}"},"content":{"text":"${text}"}${rest}}}}`,
  (text, rest) => `{"params":{"update":{"__proto__":{"text":"${text}"},"content":{"text":"one"}${rest}}}}`,
  (text, rest) =>
    `{"params":{"update":{"content":{"__proto__":1,"1":2,"text":"${text}"}${rest}}},"2":3,"1":4}`,
  text => `{"params":{"update":{"content":{"${text}":"text","text":"${text}"}}}}`,
  text => `[{"text":"${text}"}]`,
);
const run = fc
  .tuple(shape, rest, fc.array(text, { minLength: 1, maxLength: 6 }))
  .map(([shape, rest, texts]) => texts.map(each => shape(each, rest)));

describe('any lines', () => {
  it('come out as the JSON parser makes them', () => {
    let helped = 0;
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), runs => {
        const lines = runs.flat();
        const { texts, alike } = parsed(lines);
        assert.deepEqual(texts, plainly(lines));
        helped += alike.filter(Boolean).length;
      }),
      { numRuns: 2000 },
    );
    assert.ok(helped > 1000, `a model helped ${helped} times`);
  });
});
