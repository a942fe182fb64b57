/** Words that frames, journals and reports are made of: no secret may be a part of one. */
import { readFile } from 'node:fs/promises';
import { compiled, shipped } from '../base/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { releases } from './protocol.ts';

/** Names of members and possible values, in frames of any release, in journals and in reports. Read once. */
export const reservedWords = (): Promise<ReadonlySet<string>> => {
  words ??= readWords();
  return words;
};

let words: Promise<ReadonlySet<string>> | undefined;

const readWords = async (): Promise<ReadonlySet<string>> => {
  const files = [
    ...releases.map(release => compiled(`generated/acp/${release}.schema.json`)),
    ...['journal', 'report'].map(name => shipped(`schemas/${name}.schema.json`)),
  ];
  const found = new Set<string>();
  for (const file of files) collect(JSON.parse(await readFile(file, 'utf8')) as Json, found);
  return found;
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
