import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { UserError } from '../../src/base/index.ts';
import {
  createRunFolders,
  type Guardian,
  givenFolder,
  homeFolder,
  keepApart,
} from '../../src/process/index.ts';
import { isBelow, ownedFolderPath, removeOwnedFolder } from '../../src/process/owned-folder.ts';

let parent: string;

/** A guardian that notes, for each notice, whether the folder existed when it was told. */
const notingGuardian = (run: string) => {
  const told: { path: string; existed: boolean }[] = [];
  const guardian: Guardian = {
    run,
    pid: 0,
    tell(notice) {
      const path = 'folder' in notice ? notice.folder : 'home' in notice ? notice.home : '';
      told.push({ path, existed: existsSync(path) });
    },
    createdHome: () => false,
    end: () => Promise.resolve(),
  };
  return { guardian, told };
};

describe('folders of a run', () => {
  before(() => {
    parent = realpathSync(mkdtempSync(join(tmpdir(), 'acp-testbench-test-')));
  });
  after(() => rmSync(parent, { recursive: true }));

  test('lie below one root, are new each time, and go with it', () => {
    const folders = createRunFolders(notingGuardian('a').guardian, parent);
    const made = [
      folders.createHome(),
      folders.createHome(),
      folders.createWorkspace(),
      folders.createWorkspace(),
    ];
    assert.equal(new Set(made).size, 4);
    for (const path of made) {
      assert.ok(existsSync(path));
      assert.ok(isBelow(path, folders.root));
    }
    assert.equal(folders.remove(), true);
    assert.equal(existsSync(folders.root), false);
    assert.equal(folders.remove(), true);
  });

  test('are told to the guardian before they exist', () => {
    const { guardian, told } = notingGuardian('b');
    const folders = createRunFolders(guardian, parent);
    const home = folders.createHome();
    assert.deepEqual(told, [
      { path: folders.root, existed: false },
      { path: home, existed: false },
    ]);
    folders.remove();
  });

  test('are removed even with read-only folders in them', () => {
    const folders = createRunFolders(notingGuardian('c').guardian, parent);
    const module = join(folders.createHome(), 'module');
    mkdirSync(module);
    writeFileSync(join(module, 'file'), '');
    chmodSync(module, 0o500);
    assert.equal(folders.remove(), true);
    assert.equal(existsSync(folders.root), false);
  });

  test('a folder without the mark of the run is not removed, nor one of another run', () => {
    const foreign = ownedFolderPath(parent, 'd');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'precious'), '');
    assert.equal(removeOwnedFolder(foreign, 'd'), false);
    assert.ok(existsSync(join(foreign, 'precious')));

    const folders = createRunFolders(notingGuardian('e').guardian, parent);
    folders.createHome();
    assert.equal(removeOwnedFolder(folders.root, 'f'), false);
    assert.ok(existsSync(folders.root));
    folders.remove();
  });

  test('an empty folder that the run could not mark any more is removed', () => {
    const unmarked = ownedFolderPath(parent, 'g');
    mkdirSync(unmarked);
    assert.equal(removeOwnedFolder(unmarked, 'g'), true);
    assert.equal(existsSync(unmarked), false);
  });

  test('a place that cannot hold them is an error of the user', () => {
    assert.throws(
      () => createRunFolders(notingGuardian('h').guardian, join(parent, 'absent')),
      (error: unknown) => error instanceof UserError && /ENOENT.*set TMPDIR/.test(error.message),
    );
  });

  test('a folder that the user names must be there and be a folder', () => {
    assert.equal(givenFolder(parent, '--workspace'), parent);
    assert.throws(
      () => givenFolder(join(parent, 'absent'), '--workspace'),
      /^UserError: --workspace {2}no such folder/,
    );
    const file = join(parent, 'file');
    writeFileSync(file, '');
    assert.throws(() => givenFolder(file, '--home'), /^UserError: --home {2}.*is a file/);
  });

  test('--home names a new folder of the run, the home of the user, or a folder that is there', () => {
    const folders = createRunFolders(notingGuardian('i').guardian, parent);
    assert.ok(isBelow(homeFolder('temp', folders), folders.root));
    assert.equal(homeFolder('inherit', folders), homedir());
    assert.equal(homeFolder(parent, folders), parent);
    assert.throws(() => homeFolder('./temp', folders), UserError);
    folders.remove();
  });

  test("the session's folder may not be the process's", () => {
    assert.throws(() => keepApart('/a', '/a'), UserError);
    assert.doesNotThrow(() => keepApart('/a', '/a/b'));
  });

  test('below means inside, not beside and not equal', () => {
    assert.deepEqual(
      ['/r/x', '/r/..x', '/r', '/rx', '/', '/q'].map(path => isBelow(path, '/r')),
      [true, true, false, false, false, false],
    );
  });
});
