/** Rooms. */
import type { CreateRoomOutcome, RoomRow, RoomsQuery } from '../store.ts';
import { addLooks, looksFree } from './looks.ts';
import { sql } from './sql.ts';
import { all, first, type Steps } from './steps.ts';

export function* createRoom(room: {
  name: string;
  key: string;
  looks: readonly string[];
  isDisguised: boolean;
  ownerId: number;
  now: number;
}): Steps<CreateRoomOutcome> {
  const owner = yield* first(sql`SELECT id FROM users WHERE id = ${room.ownerId}`);
  if (!owner) return { outcome: 'user_not_found' };
  const created = yield* first<RoomRow>(sql`
    INSERT INTO rooms (name, name_key, owner_id, seq, created_at)
    SELECT ${room.name}, ${room.key}, ${room.ownerId}, 0, ${room.now} WHERE ${looksFree('room', room)}
    ON CONFLICT (name_key) DO NOTHING RETURNING id, name, seq`);
  if (!created) return { outcome: 'taken' };
  yield* addLooks('room', created.id, room.looks);
  return { outcome: 'created', room: created };
}

export function* findRoom(id: number): Steps<RoomRow | undefined> {
  return yield* first(sql`SELECT id, name, seq FROM rooms WHERE id = ${id}`);
}

export function* listRooms({ limit, beforeId, keyPart }: RoomsQuery): Steps<RoomRow[]> {
  const older = beforeId === undefined ? sql`` : sql`AND id < ${beforeId}`;
  // "Contains" that is literal in both databases: LIKE has wildcards, and in SQLite its own idea of case.
  const named = keyPart ? sql`AND replace(name_key, ${keyPart}, '') <> name_key` : sql``;
  return yield* all(
    sql`SELECT id, name, seq FROM rooms WHERE true ${older} ${named} ORDER BY id DESC LIMIT ${limit}`,
  );
}
