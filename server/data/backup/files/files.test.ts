import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../storage/sqlite/driver/open.ts';
import { updateSchema } from '../../storage/sqlite/migrate.ts';
import { endFiles, sha256Of } from '../manifest.ts';
import { queryOf } from '../sqlite-file.ts';
import { copyFiles } from './copy.ts';
import { FileFolder } from './folder.ts';
import { linkFiles, placeFiles } from './place.ts';
import { verifyFiles } from './verify.ts';

const nothing = () => undefined;
const newKey = () => randomBytes(16).toString('base64url');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roomful-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const filesDir = () => join(folder, 'files');
const to = () => {
  const path = join(folder, 'backup');
  mkdirSync(path, { recursive: true });
  return path;
};

/** A database with rows of these files. */
function database(files: Record<string, { state: string; size: number }>) {
  const sqlite = openDatabase(':memory:', { timeoutMs: 0 });
  updateSchema(sqlite);
  sqlite.exec('PRAGMA foreign_keys = OFF');
  const insert = sqlite.prepare(`
    INSERT INTO files (key, purpose, owner_id, name, type, size, received, state, place, created_at)
    VALUES (?, 'message', 1, 'a', 'x/y', ?, ?, ?, 'disk', 0)`);
  for (const [key, { state, size }] of Object.entries(files)) insert.run(key, size, size, state);
  return sqlite;
}

function write(key: string, text: string): void {
  const path = new FileFolder(filesDir()).pathOf(key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
}

const copy = (copied: ReturnType<typeof database>, live = copied) =>
  copyFiles({
    ...{ from: filesDir(), to: to(), earlier: undefined, query: queryOf(copied), now: queryOf(live) },
    onProgress: nothing,
  });

describe('the files of a backup', () => {
  it('that were deleted while it was made are listed; one that is missing for no reason is damage', async () => {
    const [kept, marked, gone, refused, lost] = [newKey(), newKey(), newKey(), newKey(), newKey()];
    write(kept, 'text');
    const ready = { state: 'ready', size: 4 };
    const all = [kept, marked, gone, refused, lost];
    const copied = database(Object.fromEntries(all.map((key) => [key, ready])));
    const live = database({
      [kept]: ready,
      [marked]: { state: 'deleted', size: 4 },
      [refused]: { state: 'refused', size: 0 },
      [lost]: ready,
    });
    const { manifest, findings } = await copy(copied, live);
    expect(manifest).toMatchObject({ count: 1, bytes: 4, linked: 1, checking: [] });
    expect([...manifest.deleted].sort()).toEqual([marked, gone, refused].sort());
    expect(findings).toEqual([{ rule: 'each file has its bytes', count: 1, examples: [{ key: lost }] }]);

    copied.exec(endFiles({ files: manifest }));
    const states = copied.prepare<[], { key: string; state: string }>('SELECT key, state FROM files').all();
    const deleted = states.filter(({ state }) => state === 'deleted').map(({ key }) => key);
    expect(deleted.sort()).toEqual([...manifest.deleted].sort());
  });

  it('uploads that are not complete are left out, and end with a restore', async () => {
    const [key, begun] = [newKey(), newKey()];
    write(key, 'text');
    write(begun, 'te');
    const copied = database({
      [key]: { state: 'checking', size: 4 },
      [begun]: { state: 'uploading', size: 4 },
    });
    const { manifest } = await copy(copied);
    expect([manifest.count, manifest.checking]).toEqual([1, [key]]);
    copied.exec(endFiles({ files: manifest }));
    expect(copied.prepare("SELECT key FROM files WHERE state = 'checking'").all()).toEqual([{ key }]);
  });

  it('are put back with their names and bytes; what is there stays, and half a file is replaced', async () => {
    const keys = [newKey(), newKey(), newKey()] as const;
    for (const key of keys) write(key, `text of ${key}`);
    const { manifest } = await copy(
      database(Object.fromEntries(keys.map((key) => [key, { state: 'ready', size: 30 }]))),
    );
    const target = new FileFolder(join(folder, 'new'));
    mkdirSync(dirname(target.pathOf(keys[1])), { recursive: true });
    writeFileSync(target.pathOf(keys[1]), 'half');
    mkdirSync(dirname(target.pathOf(keys[2])), { recursive: true });
    writeFileSync(target.pathOf(keys[2]), `text of ${keys[2]}`);
    const { ino } = statSync(target.pathOf(keys[2]));
    await placeFiles({ from: to(), manifest, to: target.path, onProgress: nothing });
    for (const key of keys) expect(readFileSync(target.pathOf(key), 'utf8')).toBe(`text of ${key}`);
    expect(statSync(target.pathOf(keys[2])).ino).toBe(ino);
    const names = readdirSync(target.path, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('a line that is no name of a file is refused, whatever it says', async () => {
    write(newKey(), 'text');
    for (const line of [
      '',
      `${'0'.repeat(64)}  ../../etc/passwd`,
      `${'0'.repeat(64)}  ab/cd/${'..'.repeat(11)}`,
    ]) {
      writeFileSync(join(to(), 'files.sha256'), `${line}\n`);
      const manifest = {
        ...{ count: 1, bytes: 4, linked: 0, checking: [], deleted: [] },
        sha256: await sha256Of(join(to(), 'files.sha256')),
      };
      await expect(placeFiles({ from: to(), manifest, to: filesDir(), onProgress: nothing })).rejects.toThrow(
        'The backup is damaged',
      );
    }
  });
});

it('files of a database that is moved aside are kept as links', async () => {
  const key = newKey();
  write(key, 'text');
  expect(await linkFiles(filesDir(), join(folder, 'aside'))).toBe(0);
  expect(readFileSync(new FileFolder(join(folder, 'aside')).pathOf(key), 'utf8')).toBe('text');
  expect(await linkFiles(join(folder, 'nothing is there'), join(folder, 'aside'))).toBe(0);
});

it('what a running server changes while it is verified is no finding', async () => {
  const key = newKey();
  const sqlite = database({ [key]: { state: 'ready', size: 4 } });
  const query = queryOf(sqlite);
  const found = await verifyFiles(
    { folder: filesDir() },
    async (text) => {
      const rows = await query(text);
      // It is deleted after its row was read.
      if (text.includes('ORDER BY')) sqlite.exec("UPDATE files SET state = 'deleted'");
      return rows;
    },
    nothing,
  );
  expect(found).toEqual([]);
});
