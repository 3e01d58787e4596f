/** Writes into a database directly, for measures that need more rows than the bench can post. */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { REACTION_PEOPLE, REACTIONS_MAX } from '../protocol/limits.ts';
import { MIGRATIONS } from '../server/data/storage/migrations/migrations.ts';
import { searchFile } from '../server/data/storage/sqlite/data-dir.ts';
import { openForWriting } from '../server/data/storage/sqlite/database.ts';
import type { Sqlite } from '../server/data/storage/sqlite/driver/driver.ts';

/**
 * The database of a server that is stopped. Nothing is synced before the end; then all is, so that the system does not
 * write gigabytes back during a measure.
 */
export function withDatabase<T>(dataDir: string, use: (sqlite: Sqlite) => T): T {
  const path = join(dataDir, 'roomful.db');
  const sqlite = openForWriting(path);
  try {
    sqlite.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -512000');
    return use(sqlite);
  } finally {
    sqlite.close();
    const file = openSync(path, 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

/**
 * Consumers begin at the ends of the rooms' logs, as in a new database. They have nothing to do with what was inserted,
 * and so the index of the search, which would take half a core for minutes, is not filled with it.
 */
export function restartConsumers(sqlite: Sqlite, dataDir: string): void {
  sqlite.exec('DELETE FROM followers; DELETE FROM follower_leases');
  const index = searchFile(dataDir);
  if (!existsSync(index)) return;
  sqlite.prepare('ATTACH ? AS search').run(index);
  sqlite.exec(`
    INSERT OR REPLACE INTO search.places (room_id, seq) SELECT id, seq FROM rooms;
    DETACH search`);
}

/** Creates the server's tables. */
export function createSchema(sqlite: Sqlite): void {
  for (const migration of MIGRATIONS) sqlite.exec(migration.sqlite);
}

export function insertUser(sqlite: Sqlite): number {
  const insert = sqlite.prepare(
    "INSERT INTO users (username, username_key, password_hash, created_at) VALUES ('bench', 'bench', '', 0)",
  );
  return insert.run().lastInsertRowid;
}

export function insertRooms(sqlite: Sqlite, ownerId: number, count: number): number[] {
  const insert = sqlite.prepare(
    'INSERT INTO rooms (name, name_key, owner_id, created_at) VALUES (?, ?, ?, 0)',
  );
  return Array.from({ length: count }, (_, index) => {
    const name = `bench room ${index}`;
    return insert.run(name, name, ownerId).lastInsertRowid;
  });
}

/** Makes `count` users who are members of all these rooms; returns the first one's id, which the others follow. */
export function insertMembers(sqlite: Sqlite, rooms: readonly number[], count: number): number {
  const insert = sqlite.prepare(
    "INSERT INTO users (username, username_key, password_hash, created_at) VALUES (?, ?, '', 0)",
  );
  sqlite.exec('BEGIN');
  const ids = Array.from({ length: count }, (_, index) => {
    const name = `member ${index}`;
    return insert.run(name, name).lastInsertRowid;
  });
  const join = sqlite.prepare(
    `INSERT INTO members (room_id, user_id, joined_at, user_seq) SELECT ?, id, 0, 0 FROM users WHERE true
     ON CONFLICT DO NOTHING`,
  );
  for (const roomId of rooms) join.run(roomId);
  sqlite.exec('UPDATE rooms SET members = (SELECT count(*) FROM members WHERE room_id = rooms.id); COMMIT');
  return ids[0] ?? 0;
}

/**
 * Gives these messages of a room the most reactions that they may have: each emoji shows as many people as it can. Only
 * what a page reads is written, which is the summary in the message.
 */
export function addReactions(
  sqlite: Sqlite,
  { roomId, from, to, firstUserId }: { roomId: number; from: number; to: number; firstUserId: number },
): void {
  const reactions = Array.from({ length: REACTIONS_MAX }, (_, emoji) => ({
    ...{ emoji: String.fromCodePoint(0x1f600 + emoji), count: REACTION_PEOPLE },
    user_ids: Array.from({ length: REACTION_PEOPLE }, (_, index) => firstUserId + emoji * 40 + index),
  }));
  sqlite
    .prepare('UPDATE messages SET extra = ? WHERE room_id = ? AND seq BETWEEN ? AND ?')
    .run(JSON.stringify({ reactions }), roomId, from, to);
}

/**
 * Inserts the messages from number `from` to number `to`, to each room in turn, one a second. The ids of the rooms must
 * be consecutive, and so must those of the `users`, who speak in turn.
 */
export function insertMessages(
  sqlite: Sqlite,
  {
    userId,
    users = 1,
    rooms,
    from,
    to,
  }: { userId: number; users?: number; rooms: number[]; from: number; to: number },
): void {
  const [firstRoom = 0] = rooms;
  sqlite
    .prepare(
      `WITH RECURSIVE
         given AS (SELECT CAST(? AS INT) AS firstRoom, CAST(? AS INT) AS rooms, CAST(? AS INT) AS userId, CAST(? AS INT) AS users),
         n (n) AS (SELECT CAST(? AS INT) UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?)
       INSERT INTO messages (room_id, seq, changed_seq, user_id, content, created_at)
       SELECT firstRoom + n % rooms, n / rooms + 1, n / rooms + 1, userId + n % users,
         'message number ' || n || ' of a long, long talk about this and that', n * 1000
       FROM n, given`,
    )
    .run(firstRoom, rooms.length, userId, users, from, to);
  sqlite.exec('UPDATE rooms SET seq = (SELECT coalesce(max(seq), 0) FROM messages WHERE room_id = rooms.id)');
}
