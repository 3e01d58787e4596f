/** Writing into a database directly, where the bench needs more rows than it could post. */
import type { Database } from 'better-sqlite3';
import { MIGRATIONS } from '../server/storage/migrations/migrations.ts';

/** The tables as the server makes them. */
export function createSchema(sqlite: Database): void {
  for (const migration of MIGRATIONS) sqlite.exec(migration.sqlite);
}

export function insertUser(sqlite: Database): number {
  const insert = sqlite.prepare(
    "INSERT INTO users (username, username_key, password_hash, created_at) VALUES ('bench', 'bench', '', 0)",
  );
  return Number(insert.run().lastInsertRowid);
}

export function insertRooms(sqlite: Database, ownerId: number, count: number): number[] {
  const insert = sqlite.prepare(
    'INSERT INTO rooms (name, name_key, owner_id, created_at) VALUES (?, ?, ?, 0)',
  );
  return Array.from({ length: count }, (_, index) => {
    const name = `bench room ${index}`;
    return Number(insert.run(name, name, ownerId).lastInsertRowid);
  });
}

/**
 * The messages from number `from` up to number `to`, in turn to each room, one a second; the rooms' ids must follow on
 * from each other.
 */
export function insertMessages(
  sqlite: Database,
  { userId, rooms, from, to }: { userId: number; rooms: number[]; from: number; to: number },
): void {
  const [firstRoom = 0] = rooms;
  const numbers = { from, to, firstRoom, rooms: rooms.length, userId };
  sqlite
    .prepare(
      `WITH RECURSIVE
         given AS (SELECT CAST(@firstRoom AS INT) AS firstRoom, CAST(@rooms AS INT) AS rooms, CAST(@userId AS INT) AS userId),
         n (n) AS (SELECT CAST(@from AS INT) UNION ALL SELECT n + 1 FROM n WHERE n + 1 < @to)
       INSERT INTO messages (room_id, seq, changed_seq, user_id, content, created_at)
       SELECT firstRoom + n % rooms, n / rooms + 1, n / rooms + 1, userId,
         'message number ' || n || ' of a long, long talk about this and that', n * 1000
       FROM n, given`,
    )
    .run(numbers);
  sqlite.exec('UPDATE rooms SET seq = (SELECT coalesce(max(seq), 0) FROM messages WHERE room_id = rooms.id)');
}
