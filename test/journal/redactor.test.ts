import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor } from '../../src/journal/index.ts';
import { escaped, marker, secretValue } from './secret-texts.ts';

const secret = { name: 'API_TOKEN', value: 'sk-ant"0/ö😀9' };
const redactor = createRedactor([secret]);

test('a secret is replaced wherever it stands in a text', () => {
  assert.equal(redactor.text(`a ${secret.value}${secret.value} b`), `a ${marker}${marker} b`);
  assert.equal(redactor.text('nothing here'), 'nothing here');
});

test('a secret is found with JSON escapes, also in JSON within JSON', () => {
  const once = JSON.stringify({ key: secret.value });
  const twice = JSON.stringify({ once });
  assert.equal(redactor.text(once), `{"key":"${marker}"}`);
  assert.equal(
    redactor.text(twice),
    `{"once":"{\\"key\\":\\"${marker}\\"}"}`.replace(`\\"${marker}`, `\\"${marker}`),
  );
  assert.equal(redactor.text('\\u0073k-ant\\"0\\/\\u00F6\\uD83d\\uDe009'), marker);
});

test('in a frame only the strings that hold a secret change', () => {
  const frame = `{"id": 1.0,"id":2e0,"a":"\\u0041\\/","sk-ant\\"0/ö😀9":[ "x\\u0073k-ant\\"0\\/ö\\ud83d\\ude009y" ]}`;
  assert.equal(
    redactor.lines.frame(frame),
    `{"id": 1.0,"id":2e0,"a":"\\u0041\\/","${marker}":[ "x${marker}y" ]}`,
  );
});

test('a value without secrets comes back itself', () => {
  const value = { a: ['x', 1] };
  assert.equal(redactor.value(value), value);
  assert.deepEqual(redactor.value({ a: [secret.value, 1] }), { a: [marker, 1] });
});

test('what is left of a secret where a report cut a text is replaced, as it is and with escapes', () => {
  const { value } = secret;
  const begun = [value.slice(0, 4), value.slice(0, -1), JSON.stringify(value).slice(1, -2)];
  for (const rest of begun) {
    assert.equal(redactor.text(`got ${rest}…, expected`), `got ${marker}…, expected`);
    assert.deepEqual(redactor.value([`got ${rest}…`]), [`got ${marker}…`]);
  }
  assert.equal(redactor.text(`got ${value.slice(0, 3)}…`), `got ${value.slice(0, 3)}…`);
  assert.equal(redactor.text(`…${value.slice(0, 4)}`), `…${value.slice(0, 4)}`);
});

test('where secrets overlap nothing of either is left', () => {
  const both = createRedactor([
    { name: 'A', value: 'abcdefgh' },
    { name: 'B', value: 'efghijkl' },
  ]);
  assert.equal(both.text('-abcdefghijkl-'), '-[redacted:A]-');
  assert.equal(createRedactor([{ name: 'A', value: 'aaaaaa' }]).text('baaaaaaaaac'), 'b[redacted:A]c');
});

test('a replacement does not complete another secret', () => {
  const both = createRedactor([
    { name: 'A', value: 'abcdef' },
    { name: 'B', value: ']ghijk' },
  ]);
  assert.equal(both.text('abcdefghijk').includes(']ghijk'), false);
});

test('a redacted absolute path stays absolute, and white space around a secret is no part of it', () => {
  const paths = createRedactor([{ name: 'HOME_DIR', value: '/home/someone\n' }]);
  assert.equal(paths.text('/home/someone/x'), '/[redacted:HOME_DIR]/x');
});

test('a name that JSON would escape is written without such characters', () => {
  assert.equal(createRedactor([{ name: 'a "b"\n', value: 'abcdef' }]).text('abcdef'), '[redacted:a__b__]');
});

test('the first name of a value counts', () => {
  const twice = [
    { name: 'A', value: 'abcdef' },
    { name: 'B', value: 'abcdef' },
  ];
  assert.equal(createRedactor(twice).text('abcdef'), '[redacted:A]');
});

for (const [why, value, complaint] of [
  ['short', '12345', /secret "S" is too short .* fewer than 6 characters/],
  ['short but for white space', ' 12345 ', /too short/],
  ['a part of an envelope word', 'method', /is a part of "method"/],
  ['a part of a protocol word', 'session', /is a part of "session\/new"/],
  ['a part of a replacement', 'redacted', /is a part of "\[redacted:S\]"/],
] as const) {
  test(`a secret that is ${why} is refused`, () => {
    assert.throws(() => createRedactor([{ name: 'S', value }], ['session/new']), {
      name: 'UserError',
      exitCode: 2,
      message: complaint,
    });
  });
}

test('no secret is left in a text, however it is escaped and whatever stands around it', () => {
  fc.assert(
    fc.property(
      secretValue,
      fc.string(),
      fc.string(),
      fc.nat(3),
      fc.gen(),
      (value, before, after, depth, gen) => {
        let text = depth === 0 ? value : escaped(value, gen);
        for (let level = 1; level < depth; level += 1) text = JSON.stringify(text).slice(1, -1);
        let redacted = createRedactor([{ name: 'S', value }]).text(before + text + after);
        for (let level = 0; level <= depth; level += 1) {
          assert.equal(redacted.includes(value.trim()), false);
          try {
            redacted = JSON.parse(`"${redacted}"`);
          } catch {
            return;
          }
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a frame stays valid JSON and keeps all that is no secret', () => {
  fc.assert(
    fc.property(secretValue, fc.jsonValue(), fc.gen(), (value, json, gen) => {
      const given = { json, [`k${value}`]: [`a${value}b`, { [value]: 1 }], n: 1.5 };
      const text = JSON.stringify(given).replace(/"((?:[^"\\]|\\.)*)"/g, (_, raw: string) => {
        return `"${escaped(JSON.parse(`"${raw}"`), gen)}"`;
      });
      const plain = createRedactor([{ name: 'S', value }]);
      const redacted = plain.lines.frame(text);
      assert.deepEqual(JSON.parse(redacted), JSON.parse(plain.lines.frame(JSON.stringify(given))));
      assert.equal(
        JSON.stringify(JSON.parse(redacted)).includes(JSON.stringify(value.trim()).slice(1, -1)),
        false,
      );
      if (!JSON.stringify(json).includes(JSON.stringify(value).slice(1, -1))) {
        assert.deepEqual(JSON.parse(redacted).json, JSON.parse(text).json);
      }
    }),
    { numRuns: 300 },
  );
});

test('a batch of frames is redacted as each of them by itself', () => {
  const anySecret = fc.oneof(
    secretValue,
    // The cut between the halves falls within a character.
    fc.string({ unit: 'grapheme-ascii', minLength: 3, maxLength: 9 }).map(side => `${side}😀${side}`),
  );
  const usable = anySecret.filter(value => value.trim() === value && !value.startsWith('/'));
  fc.assert(
    fc.property(usable, fc.array(fc.string()), fc.nat(3), fc.gen(), (value, texts, nested, gen) => {
      const { lines } = createRedactor([{ name: 'S', value }]);
      const holding = [...texts.map(text => JSON.stringify(text)), `"a${escaped(value, gen)}b"`];
      let deep = value;
      for (let level = 0; level <= nested; level += 1) deep = JSON.stringify(deep);
      const frames = [...holding, deep].map(text => `{"text":${text}}`);
      const batch = frames.map((frame, index) => `{"seq":${index + 1},"frame":${frame}}\n`).join('');
      const written = Buffer.concat(lines.batch(Buffer.from(batch)) as Uint8Array[]).toString();
      assert.equal(
        written,
        frames.map((frame, index) => `{"seq":${index + 1},"frame":${lines.frame(frame)}}\n`).join(''),
      );
    }),
    { numRuns: 500 },
  );
});
