/** `roomful copy` with databases that it cannot copy. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../server/data/storage/migrations/migrations.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { databaseFile } from '../../server/data/storage/sqlite/data-dir.ts';
import { openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { Copying, onFatal } from './copying.ts';

let postgres: PostgresServer;
let copying: Copying;

describe.skipIf(whyNoPostgres() !== undefined)('a copy is refused with one sentence', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());
  beforeEach(async () => {
    copying = await Copying.prepare(postgres);
  });
  afterEach(async () => await copying.dispose());

  it.each([
    ['with another table', 'CREATE TABLE theirs (id int)', / is not empty\. Create an empty one, /],
    ['with a meta of another program', 'CREATE TABLE meta (id int)', / is not empty\. /],
    [
      'with a part of another copy',
      "CREATE TABLE meta (key text, value text); INSERT INTO meta VALUES ('copying', 'theirs')",
      / has a part of another copy\. Create an empty one, /,
    ],
  ])('a target %s', async (_, sql, sentence) => {
    await copying.run(sql);
    await expect(copying.copy()).rejects.toMatchObject({
      name: 'WrongDatabaseError',
      message: expect.stringMatching(sentence),
    });
    expect(await copying.opensSource()).toBe(true);
  });

  it('a target on which a server runs', async () => {
    const { store } = await openPostgresStore({ address: addressOf(copying.url), isShared: false, onFatal });
    await expect(copying.copy()).rejects.toThrow(/ is not empty\. /);
    await store.close();
  });

  it('a source that is not there', async () => {
    await expect(copying.copy(copying.url, join(copying.dataDir, 'nothing'))).rejects.toMatchObject({
      name: 'WrongDatabaseError',
      message: expect.stringMatching(/^There is no database in .*nothing\. After --from, name the folder/),
    });
  });

  it.each([
    [SCHEMA_VERSION - 1, /^The database was written by an older Roomful .* Start this version on it once/],
    [SCHEMA_VERSION + 1, /^The database was written by a newer Roomful /],
  ])('a source of schema %i', async (version, sentence) => {
    const sqlite = openForWriting(databaseFile(copying.dataDir));
    sqlite.exec(`UPDATE meta SET value = '${version}' WHERE key = 'schema_version'`);
    sqlite.close();
    await expect(copying.copy()).rejects.toThrow(sentence);
    expect(await copying.run('SELECT 1 FROM pg_tables WHERE schemaname = current_schema()')).toEqual([]);
  });

  it('a source without an epoch', async () => {
    copying.changeSource("DELETE FROM meta WHERE key = 'epoch'");
    await expect(copying.copy()).rejects.toThrow(/^The database was restored and not started since\. /);
  });

  it('a source that is no database', async () => {
    await writeFile(databaseFile(copying.dataDir), 'These are my holiday pictures.\n'.repeat(200));
    await expect(copying.copy()).rejects.toThrow(/^The database in .* cannot be opened: .*not a database/);
  });

  it('a database that does not exist', async () => {
    await expect(copying.copy(`${copying.url}_missing`)).rejects.toMatchObject({
      name: 'WrongDatabaseError',
      message: expect.stringMatching(/^The database at .* cannot be used: .*does not exist\. Check --to\.$/),
    });
  });
});
