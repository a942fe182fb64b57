/** The redactor of a run, which leaves the words alone that its files are made of. */
import { readFile } from 'node:fs/promises';
import { compiled, shipped } from '../base/index.ts';
import { createRedactor, type Redactor, type Secret } from '../journal/index.ts';
import { releases } from '../protocol/index.ts';
import { isObject, type Json } from '../wire/index.ts';

/** @throws UserError for a secret that is too short, or a part of a word of the protocol or of our own files */
export const redactorFor = async (secrets: readonly Secret[]): Promise<Redactor> =>
  createRedactor(secrets, secrets.length > 0 ? await reservedWords() : []);

/** Names of members and possible values, in frames of any release, in journals and in reports. */
const reservedWords = async (): Promise<ReadonlySet<string>> => {
  const files = [
    ...releases.map(release => compiled(`generated/acp/${release}.schema.json`)),
    ...['journal', 'report'].map(name => shipped(`schemas/${name}.schema.json`)),
  ];
  const words = new Set<string>();
  for (const file of files) collect(JSON.parse(await readFile(file, 'utf8')) as Json, words);
  return words;
};

const collect = (schema: Json, words: Set<string>): void => {
  if (Array.isArray(schema)) for (const item of schema) collect(item, words);
  if (!isObject(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties' && isObject(value)) for (const member of Object.keys(value)) words.add(member);
    const values = name === 'enum' && Array.isArray(value) ? value : [value];
    if (valued.has(name)) for (const word of values) if (typeof word === 'string') words.add(word);
    collect(value!, words);
  }
};

/** Keywords whose values are words. */
const valued: ReadonlySet<string> = new Set(['enum', 'const', 'x-method']);
