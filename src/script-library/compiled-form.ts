/** A compiled script on disk: that of one text, and of nothing else. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CompiledScript, digestOf } from '../script/index.ts';
import type { Json } from '../wire/index.ts';

interface Form {
  /** SHA-256 of the text that it was compiled from. */
  readonly text: string;
  readonly script: CompiledScript['script'];
  readonly digest: string;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The compiled form of a text, undefined when the file is absent, damaged or that of another text.
 * @param source path of the text
 */
export const readForm = (path: string, text: string, source: string): CompiledScript | undefined => {
  try {
    const form = JSON.parse(readFileSync(path, 'utf8')) as Form;
    if (form.text !== sha256(text) || form.digest !== digestOf(form.script as unknown as Json))
      return undefined;
    return { script: form.script, digest: form.digest, source };
  } catch {
    return undefined;
  }
};

/**
 * Writes it whole or not at all: a form that cannot be written is one that has to be made again. A script that takes in
 * other files has none, since those may change.
 */
export const writeForm = (path: string, text: string, { script, digest, files }: CompiledScript): void => {
  if (files?.length) return;
  const draft = `${path}.${process.pid}`;
  const isDone = succeeds(() => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, JSON.stringify({ text: sha256(text), script, digest } satisfies Form));
    renameSync(draft, path);
  });
  if (!isDone) succeeds(() => rmSync(draft, { force: true }));
};

const succeeds = (act: () => void): boolean => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};
