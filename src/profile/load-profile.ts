import { readdirSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { didYouMean, parseYamlFile, shipped, UserError, type YamlFile } from '../base/index.ts';
import type { Profile, ProfileRequest } from './profile.ts';

/**
 * Loads a shipped profile by its name, or a file by its path: what holds a slash, or ends in `.yaml`, `.yml` or
 * `.json`, is a path.
 * @throws UserError that begins with `file:line:column`; for an unknown name it lists the known ones
 */
export const loadProfile = async (nameOrPath: string): Promise<Profile> => {
  const path = isPath(nameOrPath) ? nameOrPath : shippedPath(nameOrPath);
  const file = await parseYamlFile(path, { schema: 'schemas/profile.schema.json' });
  const { command, setup = [], ...given } = file.value as WrittenProfile;
  return {
    env: {},
    files: {},
    allow: [],
    prompts: {},
    triggers: {},
    ...given,
    name: nameOrPath,
    session: { mcp: given.session?.mcp ?? [] },
    setup: setup.map(({ request, params = {} }) => ({ request, params })),
    ...(command && { command: command.map((word, index) => resolveWord(word, file, index)) }),
  };
};

/** Names of the shipped profiles, in alphabetical order. */
export const profileNames = (): readonly string[] =>
  readdirSync(shipped('profiles'))
    .filter(file => extname(file) === '.yaml')
    .map(file => basename(file, '.yaml'))
    .sort();

/** A profile as it stands in its file: valid by the schema, nothing filled in. */
type WrittenProfile = Pick<Profile, 'title' | 'command'> &
  Partial<Omit<Profile, 'name' | 'session' | 'setup'>> & {
    readonly session?: Partial<Profile['session']>;
    readonly setup?: readonly (Pick<ProfileRequest, 'request'> & Partial<ProfileRequest>)[];
  };

const isPath = (nameOrPath: string): boolean =>
  /[/\\]/.test(nameOrPath) || ['.yaml', '.yml', '.json'].includes(extname(nameOrPath));

const shippedPath = (name: string): string => {
  const known = profileNames();
  if (known.includes(name)) return shipped(`profiles/${name}.yaml`);
  throw new UserError(
    `unknown profile "${name}"${didYouMean(name, known)}; known are ${known.join(', ')}, or give the path of a file`,
  );
};

/** `$node` is the Node that runs the bench, `$package/…` a file of the bench, `$$` a dollar. */
const resolveWord = (word: string, file: YamlFile, index: number): string => {
  if (!word.startsWith('$')) return word;
  if (word === '$node') return process.execPath;
  if (word.startsWith('$package/')) return shipped(word.slice('$package/'.length));
  if (word.startsWith('$$')) return word.slice(1);
  throw new UserError(`unknown placeholder "${word}"; known are $node and $package/…, and $$ for a dollar`, {
    place: file.placeOf(`/command/${index}`),
  });
};
