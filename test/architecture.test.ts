/** The table of rooms in docs/architecture.md, held against what the rooms import. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Room -> rooms that it may import beside `base`, in the order of the table. */
const table = (): ReadonlyMap<string, readonly string[]> => {
  const rooms = new Map<string, readonly string[]>();
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  for (const [, room, allowed] of text.matchAll(/^\| `([\w-]+)\/` \|[^|]*\|([^|]*)\|$/gm)) {
    const names = allowed!.trim();
    const named = names === '-' ? [] : names.split(', ');
    rooms.set(room!, names === 'all above' ? [...rooms.keys()] : named);
  }
  return rooms;
};

interface Import {
  /** Path of the importing file below `src/`. */
  readonly file: string;
  /** Path of the imported file below `src/`. */
  readonly target: string;
}

/** Every import of another room, types and `import()` included. */
const importsAcrossRooms = (): readonly Import[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.ts'))
    .flatMap(file => {
      const text = readFileSync(join(root, 'src', file), 'utf8');
      const paths = [...text.matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g)].map(
        ([, path]) => path!,
      );
      return paths.map(path => ({ file, target: posix.join(dirname(file), path) }));
    })
    .filter(({ file, target }) => roomOf(file) !== roomOf(target));

const roomOf = (path: string): string => path.split('/', 1)[0]!;

describe('the rooms', () => {
  const rooms = table();
  const imports = importsAcrossRooms();

  it('are the folders of src/', () => {
    assert.deepEqual([...rooms.keys()].sort(), readdirSync(join(root, 'src')).sort());
  });

  it('import only rooms that the table names, all of them above their own', () => {
    const order = [...rooms.keys()];
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      const isNamed = to === 'base' || rooms.get(from)?.includes(to) === true;
      return !isNamed || order.indexOf(to) >= order.indexOf(from);
    });
    assert.deepEqual(wrong, []);
  });

  it('import nothing of another room but its public entry', () => {
    assert.deepEqual(
      imports.filter(({ target }) => target !== `${roomOf(target)}/index.ts`),
      [],
    );
  });

  it('import whatever the table names, those apart that may import all above', () => {
    const used = new Set(imports.map(({ file, target }) => `${roomOf(file)} -> ${roomOf(target)}`));
    const allowed = [...rooms].flatMap(([from, to], index) =>
      to.length === index ? [] : to.map(name => `${from} -> ${name}`),
    );
    assert.deepEqual(
      allowed.filter(each => !used.has(each)),
      [],
    );
  });
});
