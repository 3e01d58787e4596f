/** Rooms, and the roster of a planned restart. */
import { MEMBERSHIPS_MAX } from '../../../../protocol/limits.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import type { RoomRole } from '../../../../protocol/rooms.ts';
import { searchForm } from '../../../../protocol/search/names.ts';
import type { ListedRoom, NewRoom, RoomReads, RoomsQuery, RoomWrites } from '../store.ts';
import { addLooks, looksFree } from './looks.ts';
import { NAME_FORM } from './name-forms.ts';
import type { Piece, Scanned } from './pieces.ts';
import { findRoom, ROOM_COLUMNS, type StoredRoom, toRow } from './room-rows.ts';
import { countMemberships } from './room-work.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { writeMeta } from './upkeep.ts';
import { nextUserSeq } from './user-log.ts';

const ROSTER = 'roster';
const DAY_MS = 86_400_000;
/** The start of the `name_key` of rooms whose names are not looked up: no name contains this character. */
export const HIDDEN = '\u001f';

export const roomWrites: AsSteps<Omit<RoomWrites, 'createDm' | 'changeRoom' | 'deleteRoom' | 'restoreRoom'>> =
  {
    *createRoom(room) {
      const { ownerId, now } = room;
      const owner = yield* first<{ role: UserRole }>(sql`
        SELECT role FROM users WHERE id = ${ownerId} AND suspended_at IS NULL`);
      if (!owner) return { outcome: 'user_not_found' };
      if (owner.role === 'guest') return { outcome: 'not_allowed' };
      if (yield* hasMadeEnough(room)) return { outcome: 'too_many' };
      const id = yield* insertRoom(room);
      if (id === undefined) return { outcome: 'taken' };
      if (room.kind === 'public') yield* addLooks('room', id, room);
      const userSeq = yield* nextUserSeq(ownerId);
      yield* run(sql`
      INSERT INTO members (room_id, user_id, role, joined_at, user_seq)
      VALUES (${id}, ${ownerId}, 'owner', ${now}, ${userSeq})`);
      const created = yield* findRoom(id);
      if (!created) throw new Error('a room was made and is not there');
      return { outcome: 'created', room: created, userSeq };
    },

    *saveRoster(roster) {
      yield* writeMeta(ROSTER, JSON.stringify(roster));
    },

    *takeRoster() {
      const row = yield* first<{ value: string }>(
        sql`DELETE FROM meta WHERE key = ${ROSTER} RETURNING value`,
      );
      return row && JSON.parse(row.value);
    },
  };

export const roomReads: AsSteps<Omit<RoomReads, 'deletedRooms'>> = {
  findRoom,
  *everyRoom({ afterId, limit }) {
    return yield* all(sql`
      SELECT id, replace(kind, 'deleted_', '') AS kind, name, members, number AS messages, seq, created_at AS "createdAt", archived_at AS "archivedAt",
        deleted_at AS "deletedAt"
      FROM rooms WHERE id > ${afterId} ORDER BY id LIMIT ${limit}`);
  },
  *listRooms(query) {
    return yield* listVisible(query, sql`true`);
  },
};

/** Scans public rooms, newest first; `from`: the id that the last piece has reached. */
export type RoomsPiece = Piece<RoomsQuery, number>;

/** A part of `listRooms`: no index serves a part of a name. */
export function* searchRoomsPiece({ scan, from, ...query }: RoomsPiece): Steps<Scanned<ListedRoom, number>> {
  const beforeId = from ?? query.beforeId;
  const end = yield* first<{ id: number }>(sql`
    SELECT id FROM rooms WHERE kind = 'public' AND ${before(beforeId)}
    ORDER BY id DESC LIMIT 1 OFFSET ${scan - 1}`);
  const rooms = yield* listVisible({ ...query, beforeId }, end ? sql`id >= ${end.id}` : sql`true`);
  return { rows: rooms, reached: end?.id };
}

/** What the user may see: public rooms, found along an index of their own, and the rooms that the user is in. */
function* listVisible({ limit, beforeId, keyPart, userId }: RoomsQuery, within: Sql): Steps<ListedRoom[]> {
  const matching = sql`${before(beforeId)} AND ${within} AND ${named(keyPart)}`;
  const isGuest = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND role = 'guest')`;
  const rows = yield* all<StoredRoom & { role: RoomRole | null }>(sql`
    WITH own AS (SELECT room_id, role FROM members WHERE user_id = ${userId} AND left_at IS NULL)
    SELECT ${ROOM_COLUMNS}, own.role
    FROM rooms LEFT JOIN own ON own.room_id = rooms.id
    WHERE rooms.id IN (
        SELECT id FROM (
          SELECT id FROM rooms WHERE kind = 'public' AND NOT ${isGuest} AND ${matching} ORDER BY id DESC LIMIT ${limit}
        ) AS open
        UNION SELECT room_id FROM own)
      AND kind <> 'dm' AND ${matching}
    ORDER BY rooms.id DESC LIMIT ${limit}`);
  return rows.map(toRow);
}

function* hasMadeEnough({ ownerId, maxPerDay, now }: NewRoom): Steps<boolean> {
  if ((yield* countMemberships(ownerId)) >= MEMBERSHIPS_MAX) return true;
  if (maxPerDay === 0) return false;
  return (yield* countMade(ownerId, { since: now - DAY_MS, isDm: false })) >= maxPerDay;
}

/** The id of the new room; undefined when its name is taken. */
function* insertRoom(room: NewRoom): Steps<number | undefined> {
  const { name, key, kind, topic, emoji, hue = null, ownerId, now } = room;
  const isOpen = kind === 'public';
  const isFirst = isOpen && !(yield* first(sql`SELECT id FROM rooms WHERE kind = 'public' LIMIT 1`));
  // A private room gets its own key below, which its id makes unique.
  const created = yield* first<{ id: number }>(sql`
    INSERT INTO rooms (name, name_key, search_key, name_form, kind, topic, emoji, hue, owner_id, members, is_default, created_at)
    SELECT ${name}, ${isOpen ? key : HIDDEN}, ${searchForm(name)}, ${NAME_FORM}, ${kind}, ${topic}, ${emoji}, ${hue}, ${ownerId},
      1, ${isFirst ? 1 : 0}, ${now}
    WHERE ${isOpen ? looksFree('room', room) : sql`true`}
    ON CONFLICT (name_key) DO NOTHING RETURNING id`);
  if (created && !isOpen) yield* hideName(created.id);
  return created?.id;
}

/** Frees the room's name. Whether it is taken no longer reveals that the room exists. */
export function* hideName(id: number): Steps<void> {
  yield* run(sql`UPDATE rooms SET name_key = ${`${HIDDEN}${id}`} WHERE id = ${id}`);
}

/** Rooms that the user has made since, by an index of `rooms`. */
export function* countMade(ownerId: number, of: { since: number; isDm: boolean }): Steps<number> {
  const kind = of.isDm ? sql`kind = 'dm'` : sql`kind <> 'dm'`;
  const row = yield* first<{ count: number }>(sql`
    SELECT count(*) AS count FROM rooms WHERE owner_id = ${ownerId} AND created_at > ${of.since} AND ${kind}`);
  return row?.count ?? 0;
}

function before(id: number | undefined): Sql {
  return id === undefined ? sql`true` : sql`id < ${id}`;
}

/** "Contains", taken literally by both databases: LIKE has wildcards, and SQLite's LIKE ignores case. */
function named(keyPart: string | undefined): Sql {
  return keyPart ? sql`replace(search_key, ${keyPart}, '') <> search_key` : sql`true`;
}
