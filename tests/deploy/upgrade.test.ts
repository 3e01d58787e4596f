/** Upgrades of the embedded database, and the way back (docs/OPERATIONS.md, Upgrade and Go back). */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loginResponse } from '../../protocol/rest/accounts.ts';
import { roomsResponse } from '../../protocol/rest/rooms.ts';
import { SCHEMA_VERSION } from '../../server/data/storage/migrations/migrations.ts';
import { openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { makeNewerBuild, NEWER_SCHEMA } from '../faults/newer-build.ts';
import { expectSound } from '../faults/storage-acks.ts';
import { runCommand } from '../support/command.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { ServerProcess, StartError, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** This file runs as dist/tests/deploy/upgrade.test.js. */
const FIRST_VERSION = new URL('../../../tests/deploy/first-version.sql', import.meta.url);

let home: string;
let dataDir: string;
let file: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'roomful-upgrade-'));
  dataDir = join(home, 'data');
  file = join(dataDir, 'roomful.db');
  await mkdir(dataDir);
});
afterEach(async () => await rm(home, { recursive: true }));

/** Runs SQL on the database while no server runs, or beside it. */
function run(sql: string, path = file): void {
  const sqlite = openForWriting(path);
  try {
    sqlite.exec(sql);
  } finally {
    sqlite.close();
  }
}

async function say(server: ServerProcess, login: Login, roomId: number, content: string): Promise<void> {
  const socket = await ChatClient.enter(server, login, roomId);
  socket.say(content);
  await socket.waitForCount('message', 1);
  await socket.close();
}

describe.skipIf(whyNotEmbedded() !== undefined)('the embedded database', () => {
  test('a data folder of the first version: people, sessions, rooms and every message are there over REST', async () => {
    run(`PRAGMA journal_mode = WAL; ${await readFile(FIRST_VERSION, 'utf8')}`);
    const before = rowsOf(file);
    expect(before.messages).toHaveLength(20);
    await using server = await ServerProcess.start({ dataDir: home });

    // Each of them signs in with the old password, under the old id.
    for (const { id, username } of before.users)
      expect(await logIn(server, username)).toMatchObject({ userId: id, username });

    // A session of then goes on: nobody has to sign in.
    const refreshed = await post(server, '/api/v1/auth/refresh', {
      refresh_token: 'the refresh token of Ann',
    });
    const { access_token: token } = expectReply(refreshed, 200, loginResponse.omit({ user: true }));

    const { rooms } = expectReply(await send(server, '/api/v1/rooms', { token }), 200, roomsResponse);
    expect(rooms.map(({ id, name, seq }) => ({ id, name, seq })).sort((a, b) => a.id - b.id)).toEqual(
      before.rooms,
    );
    const ann = await logIn(server, 'Ann');
    for (const { id } of before.rooms) {
      const history = await readHistory(server, ann, id);
      expect(
        history.map(({ id, seq, user_id, username, cid = null, content, created_at }) => ({
          ...{ id, seq, user_id, username, cid, content },
          created_at: Date.parse(created_at),
        })),
      ).toEqual(before.messages.filter(({ room_id }) => room_id === id).map(({ room_id, ...rest }) => rest));
    }

    // It goes on from there: the next message has the next number.
    await say(server, ann, 1, 'after the upgrade');
    expect((await readHistory(server, ann, 1)).at(-1)).toMatchObject({
      seq: 8,
      content: 'after the upgrade',
    });
    await server.stop();
    expectSound(dataDir);
  });

  test('backed up by this version before it is brought up to date: the copy has the old schema, and a restore has all', async () => {
    run(`PRAGMA journal_mode = WAL; ${await readFile(FIRST_VERSION, 'utf8')}`);
    const before = rowsOf(file);
    const backup = join(home, 'backup');
    const made = await runCommand({ dataDir: home }, ['backup', '--to', backup, '--json']);
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { schema, counts } = JSON.parse(made.stdout);
    expect({ schema, messages: counts.messages }).toEqual({ schema: 1, messages: 20 });
    expect(rowsOf(file)).toEqual(before);
    expect(rowsOf(join(backup, 'roomful.db'))).toEqual(before);

    await rm(dataDir, { recursive: true });
    const restored = await runCommand({ dataDir: home }, ['restore', '--from', backup]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(await runCommand({ dataDir: home }, ['verify'])).toMatchObject({ code: 0 });
    expect(rowsOf(file)).toEqual(before);
  });

  test('the way back: the older server refuses the newer schema and changes nothing; with the backup it goes on', {
    timeout: 240_000,
  }, async () => {
    await using newer = await makeNewerBuild(NEWER_SCHEMA);
    const backup = join(home, 'backup.db');
    await using old = await ServerProcess.start({ dataDir: home });
    const ann = await signUp(old);
    const room = await createRoom(old, ann);
    await say(old, ann, room.id, 'before the upgrade');
    run(`VACUUM INTO '${backup}'`);
    await old.stop();

    await using upgraded = await ServerProcess.start({ dataDir: home, main: newer.main });
    expect(await readHistory(upgraded, ann, room.id)).toMatchObject([{ content: 'before the upgrade' }]);
    await say(upgraded, ann, room.id, 'after the upgrade');
    await upgraded.stop();

    const migrated = await readFile(file);
    const refusal = await old.restart().catch((error: unknown) => error);
    if (!(refusal instanceof StartError)) throw new Error('it started', { cause: refusal });
    expect({ exit: refusal.exit, said: refusal.stderr }).toEqual({
      exit: { code: 1, signal: null },
      said:
        `The database was written by a newer Roomful (schema ${NEWER_SCHEMA}; this one knows ${SCHEMA_VERSION}). ` +
        'Start that version or a later one.\n',
    });
    expect((await readFile(file)).equals(migrated)).toBe(true);

    // As docs/OPERATIONS.md restores a backup.
    for (const ending of ['', '-wal', '-shm']) await rm(file + ending, { force: true });
    run(`VACUUM INTO '${file}'`, backup);
    run("DELETE FROM meta WHERE key = 'epoch'");
    await old.restart();
    const again = await logIn(old, ann.username);
    expect(await readHistory(old, again, room.id)).toMatchObject([{ content: 'before the upgrade' }]);
  });
});

interface Rows {
  users: { id: number; username: string }[];
  rooms: { id: number; name: string; seq: number }[];
  messages: { room_id: number; [column: string]: unknown }[];
}

/** What the first version stored, as it stored it. */
function rowsOf(path: string): Rows {
  const sqlite = openForWriting(path);
  try {
    const all = (sql: string) =>
      sqlite
        .prepare<[], Record<string, unknown>>(sql)
        .all()
        .map((row) => ({ ...row }));
    return {
      users: all('SELECT id, username FROM users ORDER BY id'),
      rooms: all('SELECT id, name, seq FROM rooms ORDER BY id'),
      messages: all(`
        SELECT messages.id, room_id, seq, user_id, username, cid, content, messages.created_at
        FROM messages JOIN users ON users.id = user_id ORDER BY room_id, seq`),
    } as unknown as Rows;
  } finally {
    sqlite.close();
  }
}
