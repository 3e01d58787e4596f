import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newRoom,
  newUser,
  newUserAndRoom,
  newUsers,
  say,
} from '../../server/data/storage/contract/subject.ts';
import type { SharedMigration } from '../../server/data/storage/migrations/migration.ts';
import { SCHEMA_VERSION, SHARED_MIGRATIONS } from '../../server/data/storage/migrations/migrations.ts';
import { migrate } from '../../server/data/storage/postgres/migrate.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { openPrimary } from '../../server/data/storage/postgres/primaries.ts';
import type { DatabaseAddress } from '../../server/platform/database-address.ts';
import { eventually } from '../support/eventually.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';

/** Steps of releases to come: the code of today may run on the first, and not on the second. */
const NEXT: SharedMigration = {
  version: SCHEMA_VERSION + 1,
  sqlite: '',
  postgres: 'ALTER TABLE rooms ADD COLUMN colour TEXT; CREATE TABLE polls (id BIGINT PRIMARY KEY)',
  runsFrom: SCHEMA_VERSION,
};
const AFTER_NEXT: SharedMigration = {
  version: SCHEMA_VERSION + 2,
  sqlite: '',
  postgres: 'ALTER TABLE polls ADD COLUMN name TEXT',
  runsFrom: SCHEMA_VERSION + 1,
};

describe.skipIf(whyNoPostgres() !== undefined)('migrations of PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  let address: DatabaseAddress;

  beforeAll(async () => {
    server = await PostgresServer.start();
    url = await server.createDatabase();
    address = addressOf(url);
  });
  afterAll(async () => await server?.[Symbol.asyncDispose]());

  const open = () => openPostgresStore({ address, isShared: true, onFatal });

  async function migrateWith(...later: SharedMigration[]): Promise<void> {
    const connection = await openPrimary(address);
    try {
      await migrate(connection, [...SHARED_MIGRATIONS, ...later]);
    } finally {
      await connection.close();
    }
  }

  async function meta(): Promise<Record<string, string>> {
    const rows = await server.run(
      "SELECT key, value FROM meta WHERE key IN ('schema_version', 'runs_from')",
      url,
    );
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  it('an old process goes on, and may start anew, on the schema of the next release', async () => {
    const { store } = await open();
    const { user, room } = await newUserAndRoom(store);
    await migrateWith(NEXT);
    expect(await meta()).toEqual({ schema_version: `${NEXT.version}`, runs_from: `${NEXT.runsFrom}` });
    await say(store, { roomId: room.id, userId: user.id }, ['one']);
    const { store: restarted } = await open();
    await say(restarted, { roomId: room.id, userId: user.id }, ['two']);
    expect(await restarted.findRoom(room.id)).toMatchObject({ seq: 2 });
    await Promise.all([store.close(), restarted.close()]);
    expect((await meta()).schema_version).toBe(`${NEXT.version}`);
  });

  it('names from before the present rules get their forms at the next start, in pieces', async () => {
    const { store } = await open();
    const owner = await newUser(store);
    const room = await newRoom(store, owner.id, 'Café talk');
    const people = await newUsers(store, 450);
    await store.close();
    // As an older release leaves them.
    await server.run(`UPDATE users SET name_form = 0, display_name = 'Jürgen' || id || 'x'`, url);
    await server.run(`UPDATE rooms SET name_form = 0, search_key = 'café talk'`, url);
    await server.run('DELETE FROM user_words', url);
    const { store: restarted } = await open();
    for (const { id } of [people[0], people.at(-1)].filter((user) => user !== undefined))
      expect(await restarted.searchPeople({ start: `jurgen${id}x`, limit: 9 })).toMatchObject([{ id }]);
    const found = await restarted.listRooms({ limit: 9, keyPart: 'cafe', userId: owner.id });
    expect(found).toMatchObject([{ id: room.id }]);
    await restarted.close();
    const left =
      'SELECT id FROM users WHERE name_form < 1 UNION ALL SELECT id FROM rooms WHERE name_form < 1';
    expect(await server.run(left, url)).toEqual([]);
  });

  it('a migration waits for a table in use, and for another process that migrates', async () => {
    const other = await openPrimary(address);
    await other.script('BEGIN; LOCK TABLE polls', 10_000);
    const migrations = [migrateWith(NEXT, AFTER_NEXT), migrateWith(NEXT, AFTER_NEXT)];
    await eventually('a wait for the table', async () => {
      const rows = await server.run(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        url,
      );
      return rows.length > 0 ? true : undefined;
    });
    await other.close();
    await Promise.all(migrations);
    expect((await meta()).schema_version).toBe(`${AFTER_NEXT.version}`);
  });

  it('code that may not run on it any more is refused, with a sentence', async () => {
    await expect(open()).rejects.toThrow(
      `The database was written by a newer Roomful (schema ${AFTER_NEXT.version}; this one knows ${SCHEMA_VERSION}). ` +
        'Start that version or a later one.',
    );
  });

  it('a new database gets all steps at once', async () => {
    url = await server.createDatabase();
    address = addressOf(url);
    await migrateWith(NEXT, AFTER_NEXT);
    expect(await server.run('SELECT name FROM polls', url)).toEqual([]);
    expect(await meta()).toEqual({
      schema_version: `${AFTER_NEXT.version}`,
      runs_from: `${AFTER_NEXT.runsFrom}`,
    });
  });
});

function onFatal(error: Error): never {
  throw error;
}
