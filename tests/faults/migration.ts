/** A database from before migration 4 is migrated by processes that are killed at random moments, until one ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MIGRATIONS } from '../../server/data/storage/migrations/migrations.ts';
import { databaseFile } from '../../server/data/storage/sqlite/data-dir.ts';
import { makeDurable, openForWriting, transaction } from '../../server/data/storage/sqlite/database.ts';
import type { Sqlite } from '../../server/data/storage/sqlite/driver/driver.ts';
import { seededRandom } from '../support/random.ts';
import { expectSound, withStore } from './storage-acks.ts';

const SCRIPT = fileURLToPath(new URL('./migration-process.js', import.meta.url));
const BEFORE = 3;
const USERS = 300;
const ROOMS = 100;

/** What the messages of the old database say, room by room, counted one by one. */
interface Expected {
  /** Of all messages as they were. */
  digest: string;
  rooms: Map<number, { seq: number; lastAt: number; members: Set<number> }>;
}

export interface MigrationRun {
  messages: number;
  kills: number;
  seed: number;
}

/** Throws, with the seed, unless nothing is lost and everything is filled in. Times are in milliseconds. */
export async function killMigrations({ messages, kills, seed }: MigrationRun): Promise<{ tookMs: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-migration-'));
  const random = seededRandom(seed);
  try {
    const expected = makeOld(dataDir, messages, random.integer);
    const tookMs = await timeWhole(dataDir);
    for (let kill = 1; kill <= kills; kill++) {
      await migrateIn(dataDir, random.integer(0, tookMs));
      assert.equal(digestOf(dataDir), expected.digest, `kill ${kill}`);
    }
    await migrateIn(dataDir);
    assert.equal(digestOf(dataDir), expected.digest);
    checkFilled(dataDir, expected);
    expectSound(dataDir);
    await checkGoesOn(dataDir, expected);
    return { tookMs };
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** On a copy, so that the kills come anywhere in a migration of this length. */
async function timeWhole(dataDir: string): Promise<number> {
  const copy = `${dataDir}-copy`;
  await cp(dataDir, copy, { recursive: true });
  try {
    return (await migrateIn(copy)) ?? assert.fail('the migration did not end');
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** Runs a process that migrates, and kills it this long after its start. Returns its time if it ended before. */
async function migrateIn(dataDir: string, killAfterMs?: number): Promise<number | undefined> {
  const child = spawn(process.execPath, [SCRIPT, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), ended]);
    child.kill('SIGKILL');
  }
  await ended;
  const took = /done (\d+)/.exec(output)?.[1];
  return took === undefined ? undefined : Number(took);
}

function makeOld(dataDir: string, messages: number, integer: (min: number, max: number) => number): Expected {
  const sqlite = openForWriting(databaseFile(dataDir));
  makeDurable(sqlite);
  const rooms: Expected['rooms'] = new Map();
  transaction(sqlite, () => {
    sqlite.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID');
    for (const { sqlite: step } of MIGRATIONS.slice(0, BEFORE)) sqlite.exec(step);
    sqlite.exec(`INSERT INTO meta VALUES ('schema_version', '${BEFORE}'), ('epoch', 'old')`);
    const user = sqlite.prepare<[string, string]>(
      `INSERT INTO users (username, username_key, password_hash, created_at) VALUES (?, ?, '', 0)`,
    );
    for (let id = 1; id <= USERS; id++) user.run(`user ${id}`, `user ${id}`);
    const room = sqlite.prepare<[string, string, number]>(
      'INSERT INTO rooms (name, name_key, owner_id, created_at) VALUES (?, ?, ?, 0)',
    );
    for (let id = 1; id <= ROOMS; id++) {
      const ownerId = integer(1, USERS);
      room.run(`room ${id}`, `room ${id}`, ownerId);
      rooms.set(id, { seq: 0, lastAt: 0, members: new Set([ownerId]) });
    }
    const message = sqlite.prepare<[number, number, number, number, string | null, string, number]>(
      `INSERT INTO messages (room_id, seq, changed_seq, user_id, cid, content, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    for (let count = 1; count <= messages; count++) {
      // The last rooms stay empty, and the last users silent.
      const roomId = integer(1, ROOMS - 5);
      const state = rooms.get(roomId) ?? assert.fail();
      const userId = 1 + ((roomId * 37 + integer(0, 20)) % (USERS - 5));
      state.seq++;
      state.lastAt = count;
      state.members.add(userId);
      const cid = count % 3 === 0 ? null : `c${count}`;
      message.run(
        roomId,
        state.seq,
        state.seq,
        userId,
        cid,
        `message ${count} ${'x'.repeat(count % 120)}`,
        count,
      );
    }
    const update = sqlite.prepare<[number, number]>('UPDATE rooms SET seq = ? WHERE id = ?');
    for (const [id, { seq }] of rooms) update.run(seq, id);
  });
  sqlite.close();
  return { digest: digestOf(dataDir), rooms };
}

/** Of every message, as it was before. */
function digestOf(dataDir: string): string {
  return withDatabase(dataDir, (sqlite) => {
    const hash = createHash('sha256');
    const page = sqlite.prepare<[number], { id: number }>(
      `SELECT id, room_id, seq, changed_seq, user_id, cid, content, created_at FROM messages
       WHERE id > ? ORDER BY id LIMIT 10000`,
    );
    for (let last = 0; ; ) {
      const rows = page.all(last);
      if (rows.length === 0) return hash.digest('hex');
      hash.update(JSON.stringify(rows));
      last = rows.at(-1)?.id ?? 0;
    }
  });
}

function checkFilled(dataDir: string, { rooms }: Expected): void {
  withDatabase(dataDir, (sqlite) => {
    const logs = new Map<number, number[]>();
    const select = sqlite.prepare<[number], Record<string, number>>(
      'SELECT seq, number, members, last_at, is_default FROM rooms WHERE id = ?',
    );
    const members = sqlite.prepare<
      [number],
      { user_id: number; read_seq: number; read_number: number; user_seq: number }
    >('SELECT user_id, read_seq, read_number, user_seq FROM members WHERE room_id = ? ORDER BY user_id');
    for (const [id, room] of rooms) {
      assert.deepEqual(
        { ...select.get(id) },
        {
          ...{ seq: room.seq, number: room.seq, members: room.members.size, last_at: room.lastAt },
          is_default: id === 1 ? 1 : 0,
        },
      );
      const rows = members.all(id);
      assert.deepEqual(new Set(rows.map(({ user_id }) => user_id)), room.members);
      for (const { user_id, read_seq, read_number, user_seq } of rows) {
        assert.deepEqual([read_seq, read_number], [room.seq, room.seq]);
        logs.set(user_id, [...(logs.get(user_id) ?? []), user_seq]);
      }
    }
    // Each user's log has the numbers 1, 2, 3 …, and its head is the last of them.
    const heads = sqlite
      .prepare<[], { user_id: number; seq: number }>('SELECT user_id, seq FROM user_logs')
      .all();
    assert.equal(heads.length, logs.size);
    for (const { user_id, seq } of heads) {
      const numbers = Array.from({ length: seq }, (_, index) => index + 1);
      assert.deepEqual(logs.get(user_id), numbers, `the log of user ${user_id}`);
    }
  });
}

/** The server goes on where the old one stopped. */
async function checkGoesOn(dataDir: string, { rooms }: Expected): Promise<void> {
  await withStore(dataDir, async (store) => {
    const { seq, members } = rooms.get(1) ?? assert.fail();
    const [userId = 0] = members;
    const at = { roomId: 1, userId };
    assert.deepEqual(await store.unread({ userId, roomIds: [1] }), [
      { roomId: 1, unread: 0, mentions: 0, threadMentions: [], isInexact: false },
    ]);
    const stored = await store.append({ ...at, cid: null, content: 'after', now: 0 });
    assert(stored.outcome === 'stored' && stored.isMember);
    assert.deepEqual([stored.seq, stored.number], [seq + 1, seq + 1]);
  });
}

function withDatabase<T>(dataDir: string, read: (sqlite: Sqlite) => T): T {
  const sqlite = openForWriting(databaseFile(dataDir));
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}
