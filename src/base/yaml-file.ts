/**
 * YAML files that people write: parsed, checked against a schema of ours, and able to say where each value stands.
 * The parser and the validator load on first use, since most commands need neither.
 */
import { readFile } from 'node:fs/promises';
import type { Document, LineCounter, Node, Pair } from 'yaml';
import { pointerNames } from './json-pointer.ts';
import type { SchemaMistake } from './schema-mistake.ts';
import { UserError } from './user-error.ts';

export interface YamlFile {
  /** The content as plain JSON, valid by the schema. */
  readonly value: unknown;
  /**
   * `file:line:column` of the value at a JSON pointer, or of its key. A pointer that leads nowhere yields the place of
   * the nearest value above it.
   */
  placeOf(pointer: string, part?: 'value' | 'key'): string;
}

export interface YamlOptions {
  /** Path of the schema within the package, such as `schemas/profile.schema.json`; or a check of the reader's own. */
  readonly schema: string | ((value: unknown) => Promise<SchemaMistake | undefined>);
}

/**
 * Reads a YAML (or JSON) file and checks it against a schema.
 * @throws UserError that begins with `file:line:column` when the file is unreadable, no YAML, or not as the schema says
 */
export const parseYamlFile = async (path: string, options: YamlOptions): Promise<YamlFile> =>
  parseYaml(await readTextFile(path), { ...options, file: path });

/**
 * As `parseYamlFile`, for text that was read elsewhere.
 * @param options.file the name that stands before line and column
 */
export const parseYaml = async (
  text: string,
  options: YamlOptions & { readonly file: string },
): Promise<YamlFile> => {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const placeAt = (offset: number) => placeIn(options.file, lines, offset);

  const [mistake] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (mistake) throw new UserError(plainly(mistake.message), { place: placeAt(mistake.pos[0]) });

  const placeOf: YamlFile['placeOf'] = (pointer, part = 'value') =>
    placeAt(offsetOf(yaml, document, pointerNames(pointer), part));
  const value = toValue(yaml, document, placeAt);

  const fault = await mistakeIn(value, options.schema);
  if (fault) throw new UserError(fault.message, { place: placeOf(fault.pointer, fault.part) });
  return { value, placeOf };
};

const mistakeIn = async (
  value: unknown,
  schema: YamlOptions['schema'],
): Promise<SchemaMistake | undefined> => {
  if (typeof schema === 'function') return schema(value);
  const { schemaMistake } = await import('./schema-mistake.ts');
  return schemaMistake(schema, value);
};

/** The text of a file. @throws UserError with the path when it cannot be read or is not UTF-8 */
export const readTextFile = async (path: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(unreadable[code ?? ''] ?? `cannot be read: ${(error as Error).message}`, {
      place: path,
      cause: error,
    });
  }
};

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read: permission denied',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8 text; save it as UTF-8',
};

/** Fails for an alias without an anchor, and for aliases that multiply without end. */
const toValue = (
  yaml: typeof import('yaml'),
  document: Document.Parsed,
  placeAt: (offset: number) => string,
): unknown => {
  try {
    return document.toJS();
  } catch (error) {
    let offset = 0;
    yaml.visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document)) return undefined;
        offset = startOf(alias) ?? 0;
        return yaml.visit.BREAK;
      },
    });
    throw new UserError((error as Error).message, { place: placeAt(offset), cause: error });
  }
};

/** Every reader knows the map rule by its effect; the parser's wording is kept for the rest. */
const plainly = (message: string): string =>
  message === 'Map keys must be unique'
    ? 'this key stands twice in the same map; remove one of them'
    : message.split('\n', 1)[0]!;

const placeIn = (file: string, lines: LineCounter, offset: number): string => {
  const { line, col } = lines.linePos(offset);
  return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
};

/** Follows a pointer through the document's nodes, aliases included, as far as it leads. */
const offsetOf = (
  yaml: typeof import('yaml'),
  document: Document.Parsed,
  pointer: readonly string[],
  part: 'value' | 'key',
): number => {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, name] of pointer.entries()) {
    if (yaml.isAlias(node)) node = node.resolve(document);
    const isLast = depth === pointer.length - 1;
    if (yaml.isMap(node)) {
      const pair: Pair | undefined = node.items.find(item => keyText(item) === name);
      if (!pair) break;
      node = pair.value;
      offset = (isLast && part === 'key' ? startOf(pair.key) : startOf(node)) ?? startOf(pair.key) ?? offset;
    } else if (yaml.isSeq(node)) {
      node = node.items[Number(name)];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
};

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];

const keyText = ({ key }: Pair): string => String((key as { value?: unknown } | null)?.value ?? key);
