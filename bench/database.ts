/** Writes into a database directly, for measures that need more rows than the bench can post. */
import { MIGRATIONS } from '../server/storage/migrations/migrations.ts';
import type { Sqlite } from '../server/storage/sqlite/driver/driver.ts';

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

/**
 * Inserts the messages from number `from` to number `to`, to each room in turn, one a second. The ids of the rooms must
 * be consecutive.
 */
export function insertMessages(
  sqlite: Sqlite,
  { userId, rooms, from, to }: { userId: number; rooms: number[]; from: number; to: number },
): void {
  const [firstRoom = 0] = rooms;
  sqlite
    .prepare(
      `WITH RECURSIVE
         given AS (SELECT CAST(? AS INT) AS firstRoom, CAST(? AS INT) AS rooms, CAST(? AS INT) AS userId),
         n (n) AS (SELECT CAST(? AS INT) UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?)
       INSERT INTO messages (room_id, seq, changed_seq, user_id, content, created_at)
       SELECT firstRoom + n % rooms, n / rooms + 1, n / rooms + 1, userId,
         'message number ' || n || ' of a long, long talk about this and that', n * 1000
       FROM n, given`,
    )
    .run(firstRoom, rooms.length, userId, from, to);
  sqlite.exec('UPDATE rooms SET seq = (SELECT coalesce(max(seq), 0) FROM messages WHERE room_id = rooms.id)');
}
