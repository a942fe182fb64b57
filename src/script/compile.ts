/** Scripts made ready to run: checked, with the files that they name read in, and with a digest. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserError } from '../base/index.ts';
import type { Json } from '../wire/index.ts';
import { type Known, semanticMistakes } from './check.ts';
import { digestOf } from './digest.ts';
import type { Script } from './script.ts';
import { shapeMistake } from './shape.ts';

/** Plain data: it can be written down and read back. */
export interface CompiledScript {
  readonly script: Script;
  /** Over the whole script, the files that it sends included. */
  readonly digest: string;
  /** File that it came from, for messages. */
  readonly source?: string;
  /** Files that it names and that were read in; absent when it names none. */
  readonly files?: readonly string[];
}

export interface CompileOptions {
  /** What ids and words may stand in a script. What is left out is not checked. */
  readonly known?: Known;
  /** `file:line:column` of the value, or the key, at a JSON pointer. Default: source and pointer. */
  readonly placeOf?: (pointer: string, part?: 'value' | 'key') => string;
}

/**
 * @param source path of the script's file; `raw: {file}` is read from its folder
 * @throws UserError with one line per mistake, each beginning with its place
 */
export const compileScript = async (
  script: Script,
  source?: string,
  {
    known = {},
    placeOf = pointer => `${source ?? script.id ?? 'script'}${pointer && `#${pointer}`}`,
  }: CompileOptions = {},
): Promise<CompiledScript> => {
  const shape = await shapeMistake(script as unknown as Json);
  const mistakes = shape ? [shape] : semanticMistakes(script, known);
  const [first, ...others] = mistakes.map(({ message, pointer, part }) => ({
    message,
    place: placeOf(pointer, part),
  }));
  if (first) {
    const more = others.map(({ place, message }) => `\n${place}  ${message}`).join('');
    throw new UserError(first.message + more, { place: first.place });
  }
  const files: string[] = [];
  const read = (file: string, pointer: string): string => {
    files.push(file);
    return readHex(file, source, placeOf(pointer));
  };
  const whole = withFiles(script as unknown as Json, read) as unknown as Script;
  return {
    script: whole,
    digest: digestOf(whole as unknown as Json),
    ...(source && { source }),
    ...(files.length > 0 && { files }),
  };
};

/** Replaces `raw: {file}` by the bytes of the file. */
const withFiles = (value: Json, read: (file: string, pointer: string) => string, pointer = ''): Json => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => withFiles(item, read, `${pointer}/${index}`));
  const entries = Object.entries(value as Readonly<Record<string, Json>>).map(
    ([name, member]): [string, Json] => {
      const at = `${pointer}/${name}`;
      const file = name === 'raw' && isStepList(pointer) ? (member as { file?: string }).file : undefined;
      if (file === undefined) return [name, withFiles(member, read, at)];
      const { file: _, ...rest } = member as Record<string, Json>;
      return [name, { ...rest, hex: read(file, `${at}/file`) }];
    },
  );
  return Object.fromEntries(entries);
};

const isStepList = (pointer: string): boolean => /\/steps\/\d+$/.test(pointer);

const readHex = (file: string, source: string | undefined, place: string): string => {
  try {
    return readFileSync(resolve(source ? dirname(source) : '.', file)).toString('hex');
  } catch (error) {
    throw new UserError(`cannot read ${file}: ${(error as Error).message}`, { place, cause: error });
  }
};
