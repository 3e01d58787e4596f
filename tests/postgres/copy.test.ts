/** `roomful copy`: what is copied, what is compared, and what keeps servers away. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { lockDataDir } from '../../server/data/storage/sqlite/lock.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { Copying, onFatal } from './copying.ts';
import { type Rows, tablesOf, withSource } from './filled-source.ts';

let postgres: PostgresServer;
let copying: Copying;

describe.skipIf(whyNoPostgres() !== undefined)('a copy from SQLite to PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());
  beforeEach(async () => {
    copying = await Copying.prepare(postgres);
  });
  afterEach(async () => await copying.dispose());

  it('has every row of every table, with every value, and goes on with higher ids', async () => {
    // When its server makes the next backup says nothing about those of the new one.
    copying.changeSource("INSERT INTO meta VALUES ('due:backup to /a', '9999999999999')");
    const expected = withSource(copying.dataDir, readSource);
    expect(Object.keys(expected).length).toBeGreaterThan(12);
    expect(await copying.copy()).toMatchObject({ rows: 3 * Object.keys(expected).length });
    for (const [table, rows] of Object.entries(expected)) {
      expect(rows.length, table).toBe(3);
      expect(byText(await copying.run(`SELECT * FROM ${table}`)), table).toEqual(byText(rows));
    }
    expect(
      await copying.run(
        "SELECT key, value FROM meta WHERE key IN ('epoch', 'roster') OR key LIKE 'due:%' ORDER BY key",
      ),
    ).toEqual([
      { key: 'epoch', value: copying.epoch() },
      { key: 'roster', value: expect.stringContaining('savedAt') },
    ]);
    for (const table of ['users', 'sessions', 'rooms', 'messages', 'invites', 'push_subscriptions'])
      expect(await copying.run(`SELECT nextval(pg_get_serial_sequence('${table}', 'id'))`)).toEqual([
        { nextval: '4' },
      ]);
  });

  it('has all references between tables, as a database that a server has made', async () => {
    const other = await postgres.createDatabase();
    const { store } = await openPostgresStore({ address: addressOf(other), isShared: false, onFatal });
    await store.close();
    await copying.copy();
    const references = `
      SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
      WHERE contype = 'f' ORDER BY conname`;
    expect(await copying.run(references)).toEqual(await postgres.run(references, other));
    expect((await copying.run(references)).length).toBeGreaterThan(5);
  });

  it('an id that was given to a row that is deleted since is not given again', async () => {
    copying.changeSource('DELETE FROM invites WHERE id = 3');
    await copying.copy();
    expect(await copying.run("SELECT nextval(pg_get_serial_sequence('invites', 'id'))")).toEqual([
      { nextval: '4' },
    ]);
  });

  it.each([
    ['a text', "UPDATE messages SET content = 'planted' WHERE id = 2", 'room 2 does not have the same rows'],
    [
      'a lost message',
      'DELETE FROM messages WHERE id = 2',
      'room 2 has 2 rows in SQLite and 1 in PostgreSQL',
    ],
    [
      'a message too many',
      `INSERT INTO messages (room_id, seq, changed_seq, number, user_id, created_at, content)
       VALUES (9, 1, 1, 1, 1, 1, 'planted')`,
      'room 9 has 0 rows in SQLite and 1 in PostgreSQL',
    ],
  ])('a difference is found: %s', async (_, planted, sentence) => {
    copying.changeSource(`
        INSERT INTO messages (id, room_id, seq, changed_seq, number, user_id, created_at, content)
        VALUES (4, 2, 500000, 500000, 1, 1, 1, 'the last of the room')`);
    await copying.copy();
    await copying.reopen();
    await copying.run(planted);
    await expect(copying.copy()).rejects.toThrow(`The copy is not the same: ${sentence}`);
    await copying.expectUnfinished();
    expect(await copying.opensSource()).toBe(true);
  });

  it('a difference in a small table is found', async () => {
    await copying.copy();
    await copying.reopen();
    await copying.run(
      `CREATE FUNCTION plant() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN NEW.topic := 'planted'; RETURN NEW; END $$;
       CREATE TRIGGER plant BEFORE INSERT ON rooms FOR EACH ROW EXECUTE FUNCTION plant()`,
    );
    await expect(copying.copy()).rejects.toThrow(
      'The copy is not the same: the table rooms does not have the same rows',
    );
    await copying.expectUnfinished();
  });

  it('a change of the source that comes after the first part is copied, too', async () => {
    await copying.copy();
    await copying.reopen();
    copying.changeSource(`
        UPDATE messages SET content = 'edited', revision = 7, changed_seq = 999999 WHERE id = 1;
        UPDATE users SET display_name = 'renamed' WHERE id = 1;
        DELETE FROM sessions WHERE id = 2; DELETE FROM refresh_tokens WHERE session_id = 2`);
    await copying.copy();
    expect(await copying.run('SELECT content, revision FROM messages WHERE id = 1')).toEqual([
      { content: 'edited', revision: 7 },
    ]);
    expect(await copying.run('SELECT display_name FROM users WHERE id = 1')).toEqual([
      { display_name: 'renamed' },
    ]);
  });

  it('waits until the server is stopped, and copies what it stores meanwhile', async () => {
    const lock = lockDataDir(copying.dataDir);
    const done = copying.copy();
    await copying.waits();
    await copying.expectUnfinished();
    copying.changeSource("UPDATE messages SET content = 'late', changed_seq = 999998 WHERE id = 3");
    lock.close();
    await done;
    expect(await copying.run('SELECT content FROM messages WHERE id = 3')).toEqual([{ content: 'late' }]);
  });

  it('a second copy into the same database waits for the first, and finds it complete', async () => {
    const lock = lockDataDir(copying.dataDir);
    const done = copying.copy();
    await copying.waits();
    const other = copying.copy();
    lock.close();
    await done;
    expect(await other).toBeUndefined();
  });

  it('of two copies into different databases one is refused', async () => {
    const lock = lockDataDir(copying.dataDir);
    const both = Promise.allSettled([copying.copy(), copying.copy(await postgres.createDatabase())]);
    await copying.waits(2);
    lock.close();
    const outcomes = (await both).map((outcome) =>
      outcome.status === 'fulfilled' ? 'copied' : outcome.reason.message.replace(/ at .*/, ''),
    );
    expect(outcomes.toSorted()).toEqual(['This data was moved to PostgreSQL', 'copied']);
  });

  it('after the copy the source refuses to start, and says how to go on and how to go back', async () => {
    await copying.copy();
    await expect(openSqliteStore({ dataDir: copying.dataDir, onFatal })).rejects.toThrow(
      /^This data was moved to PostgreSQL at 127\.0\.0\.1:.*Set DATABASE_URL.*DELETE FROM meta WHERE key = 'moved_to'/,
    );
    expect(await copying.copy()).toBeUndefined();
    await expect(copying.copy(await postgres.createDatabase())).rejects.toMatchObject({
      name: 'WrongDatabaseError',
      message: expect.stringMatching(/^This data was moved to PostgreSQL at 127\.0\.0\.1:/),
    });
    copying.changeSource("DELETE FROM meta WHERE key = 'moved_to'");
    expect(await copying.opensSource()).toBe(true);
    await expect(copying.copy()).rejects.toThrow(/is not empty\. Create an empty one/);
  });

  it('after a crash between its last two steps neither database starts, and the next run finishes', async () => {
    await copying.copy();
    await copying.run(`INSERT INTO meta VALUES ('copying', '${copying.epoch()}')`);
    await copying.expectUnfinished();
    expect(await copying.opensSource()).toBe(false);
    expect(await copying.copy()).toMatchObject({ rows: expect.any(Number) });
    const { store } = await openPostgresStore({ address: addressOf(copying.url), isShared: false, onFatal });
    await store.close();
  });
});

/** Columns that PostgreSQL never had are left out; an old message's number is its seq. */
function readSource(sqlite: Parameters<Parameters<typeof withSource>[1]>[0]): Record<string, Rows> {
  return Object.fromEntries(
    tablesOf(sqlite).map((table) => {
      const rows = sqlite.prepare<[], Rows[number]>(`SELECT * FROM ${table}`).all();
      return [
        table,
        rows.map(({ username_skeleton, display_key, ...row }) =>
          table === 'messages' ? { ...row, number: row.number ?? row.seq ?? null } : row,
        ),
      ];
    }),
  );
}

/** Numbers of eight bytes are texts in the test's own connection. */
function byText(rows: unknown[]): Record<string, string | null>[] {
  return (rows as Rows)
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, value === null ? null : String(value)]),
      ),
    )
    .toSorted((one, other) =>
      JSON.stringify(Object.values(one)) < JSON.stringify(Object.values(other)) ? -1 : 1,
    );
}
