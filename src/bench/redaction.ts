/** The redactor of a run, which leaves the words alone that its files are made of. */
import { createRedactor, type Redactor, type Secret } from '../journal/index.ts';
import { reservedWords } from '../protocol/index.ts';

/** @throws UserError for a secret that is too short, or a part of a word of the protocol or of our own files */
export const redactorFor = async (secrets: readonly Secret[]): Promise<Redactor> =>
  createRedactor(secrets, secrets.length > 0 ? await reservedWords() : []);
