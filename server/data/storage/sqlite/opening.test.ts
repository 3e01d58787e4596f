import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameKey } from '../../../../protocol/text.ts';
import { looksOf } from '../../../rules/names/looks.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../migrations/migrations.ts';
import { makeDurable, openForWriting, pragma } from './database.ts';
import { explainOpeningError } from './opening-errors.ts';
import { openSqliteStore } from './sqlite-store.ts';

let dataDir: string;
let file: string;
const fatal: Error[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'roomful-open-'));
  file = join(dataDir, 'roomful.db');
  fatal.length = 0;
});
afterEach(async () => {
  await rm(dataDir, { recursive: true });
  expect(fatal).toEqual([]);
});

const open = (at = dataDir) => openSqliteStore({ dataDir: at, onFatal: (error) => fatal.push(error) });

/** Creates a database as another program left it, in this journal mode. */
function leaveDatabase(journal: 'wal' | 'delete', sql: string): void {
  const sqlite = openForWriting(file);
  sqlite.exec(`PRAGMA journal_mode = ${journal}`);
  sqlite.exec(sql);
  sqlite.close();
}

const newer = (version: number) => `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('schema_version', '${version}'), ('epoch', 'theirs');
  CREATE TABLE holograms (id INTEGER PRIMARY KEY);`;

describe('opening', () => {
  it('creates the folder and its files for their owner alone', async () => {
    const deep = join(dataDir, 'a', 'b');
    const { store } = await open(deep);
    await store.check();
    expect((await stat(deep)).mode & 0o777).toBe(0o700);
    for (const name of ['roomful.db', 'roomful.db-wal', 'roomful.db-shm', 'roomful.lock'])
      expect({ name, mode: (await stat(join(deep, name))).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    await store.close();
  });

  it('removes the permissions of others from a restored database', async () => {
    leaveDatabase('delete', 'CREATE TABLE theirs (id INTEGER PRIMARY KEY)');
    await chmod(file, 0o644);
    const { store } = await open();
    await store.check();
    for (const name of ['roomful.db', 'roomful.db-wal', 'roomful.db-shm'])
      expect({ name, mode: (await stat(join(dataDir, name))).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    await store.close();
  });

  it('the epoch is the same at every opening, and another for another database', async () => {
    const first = await open();
    await first.store.close();
    const second = await open();
    await second.store.close();
    expect(second.epoch).toBe(first.epoch);
    const other = await open(join(dataDir, 'other'));
    await other.store.close();
    expect(other.epoch).not.toBe(first.epoch);
  });

  it.each([1, 2])(
    'names from version %d get their looks; those that look alike already all stay',
    async (version) => {
      const before = MIGRATIONS.slice(0, version).map(({ sqlite }) => sqlite);
      const cyrillic = '\u0412oris';
      leaveDatabase(
        'wal',
        `${newer(version)} ${before.join('')}
      INSERT INTO users (username, username_key, password_hash, created_at)
        VALUES ('Boris', 'boris', '', 0), ('${cyrillic}', '${nameKey(cyrillic)}', '', 0);
      INSERT INTO rooms (name, name_key, owner_id, created_at) VALUES ('Boris', 'boris', 1, 0)`,
      );
      const { store } = await open();
      expect(await store.findUser('boris')).toMatchObject({ username: 'Boris' });
      expect(await store.findUser(nameKey(cyrillic))).toMatchObject({ username: cyrillic });
      const name = 'B\u043eris';
      const newRoom = { kind: 'public', topic: '', emoji: null, maxPerDay: 0 } as const;
      const alike = { key: nameKey(name), ...looksOf(name), now: 0 };
      expect(await store.createUser({ ...alike, username: name, passwordHash: '' })).toEqual({
        outcome: 'taken',
      });
      expect(await store.createRoom({ ...newRoom, ...alike, name, ownerId: 1 })).toEqual({
        outcome: 'taken',
      });
      await store.close();
    },
  );

  it('a commit is on disk before it returns: WAL, synchronous=FULL, foreign keys, no hidden checkpoints', () => {
    const sqlite = openForWriting(file);
    makeDurable(sqlite);
    const read = (name: string) => pragma(sqlite, name);
    expect(read('journal_mode')).toBe('wal');
    expect(read('synchronous')).toBe(2);
    expect(read('foreign_keys')).toBe(1);
    expect(read('wal_autocheckpoint')).toBe(0);
    sqlite.close();
  });
});

describe('a refusal to open is one sentence, changes nothing and leaves nothing behind', () => {
  async function expectRefusal(sentence: RegExp): Promise<void> {
    const before = await readFile(file);
    // Twice: the first try must not keep the folder locked.
    for (let times = 0; times < 2; times++)
      await expect(open()).rejects.toMatchObject({
        name: 'UnusableDatabaseError',
        message: expect.stringMatching(sentence),
      });
    expect((await readFile(file)).equals(before)).toBe(true);
  }

  it.each(['wal', 'delete'] as const)('a database that a newer Roomful wrote (%s)', async (journal) => {
    leaveDatabase(journal, newer(SCHEMA_VERSION + 1));
    await expectRefusal(
      new RegExp(
        `^The database was written by a newer Roomful \\(schema ${SCHEMA_VERSION + 1}; this one knows ${SCHEMA_VERSION}\\)\\. Start that version or a later one\\.$`,
      ),
    );
  });

  it('a file that is no database', async () => {
    await writeFile(file, 'These are my holiday pictures.\n'.repeat(200));
    await expectRefusal(/^The database in .* cannot be opened: .*not a database/);
  });

  it('a database that the migrations do not fit', async () => {
    leaveDatabase('wal', 'CREATE TABLE messages (mine TEXT)');
    await expectRefusal(/^The database in .* cannot be opened: .*messages already exists/);
  });

  it('a folder where the database should be', async () => {
    await mkdir(file);
    await expect(open()).rejects.toThrow(/^The database in .* cannot be opened: /);
  });

  it('a data folder that cannot be created', async () => {
    await writeFile(file, '');
    const dataDir = join(file, 'data');
    const error: unknown = await open(dataDir).catch((thrown: unknown) => thrown);
    expect(explainOpeningError(error, dataDir)).toMatch(/: a part of this path is a file\. Name a folder\.$/);
  });

  it('a folder that this process has open already; the first store goes on', async () => {
    const { store } = await open();
    await expect(open()).rejects.toThrow(
      `Another Roomful is using the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
    await store.check();
    await store.close();
    const { store: next } = await open();
    await next.close();
  });
});
