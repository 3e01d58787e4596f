/**
 * Deleting a room, restoring it, and deleting it for good. A deleted room keeps everything but its members and its
 * name: `rooms.kind` becomes one that no query and no row of the access table knows, so that the room is hidden from
 * everybody.
 */
import { searchForm } from '../../../../protocol/search/names.ts';
import { mayAdminister } from '../../../rules/admin-access.ts';
import type { DeletedRoomRow, RoomReads, RoomWrites, UserChange } from '../store.ts';
import { deleteFilesOf } from './attach.ts';
import { addAudit, roleOf } from './audit.ts';
import { INDEXER } from './consumers.ts';
import { addLooks, dropLooks, looksFree } from './looks.ts';
import { NAME_FORM } from './name-forms.ts';
import { replaceOwner } from './removal.ts';
import { REMOVED } from './removed-names.ts';
import { addRoomNotice, beginWork, endWork, refusal } from './room-work.ts';
import { hideName } from './rooms.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

/** How the kind of a deleted room begins; the rest is the kind that it had. */
const DELETED = 'deleted_';
/** How long a deleted room can be restored. */
export const RESTORABLE_MS = 30 * 86_400_000;

export const deletionWrites: AsSteps<Pick<RoomWrites, 'deleteRoom' | 'restoreRoom'>> = {
  *deleteRoom({ roomId, actorId, now }) {
    const work = yield* beginWork({ roomId, actorId, now });
    if ('outcome' in work) return work;
    const refused = refusal(work, 'own');
    if (refused) return refused;
    const { room } = work;
    yield* addRoomNotice(work, 'deleted');
    const last = yield* first<{ at: number | null }>(
      sql`SELECT max(left_at) AS at FROM members WHERE room_id = ${roomId}`,
    );
    // Members who left at this moment are those who come back with the room.
    const deletedAt = Math.max(now, (last?.at ?? 0) + 1);
    work.changes.push(...(yield* moveMembers(roomId, sql`left_at IS NULL`, sql`left_at = ${deletedAt}`)));
    yield* run(sql`
      UPDATE rooms SET kind = ${DELETED + room.kind}, deleted_at = ${deletedAt} WHERE id = ${roomId}`);
    yield* hideName(roomId);
    yield* dropLooks('room', roomId);
    yield* addAudit({ action: 'room_deleted', actorId, roomId, now });
    // The row of a deleted room counts no members. The answer has the number from before.
    const members = room.members;
    room.members = 0;
    const ended = yield* endWork(work);
    room.members = members;
    return ended;
  },

  *restoreRoom({ roomId, actorId, names, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return { outcome: 'not_found' };
    const deleted = yield* first<{ kind: string; name: string; deletedAt: number }>(sql`
      SELECT kind, name, deleted_at AS "deletedAt" FROM rooms WHERE id = ${roomId} AND ${isRestorable(now)}`);
    if (!deleted) return { outcome: 'room_not_found' };
    const kind = deleted.kind.slice(DELETED.length);
    if (kind === 'public') {
      const isFree = yield* first(sql`
        SELECT 1 WHERE ${looksFree('room', names, roomId)}
          AND NOT EXISTS (SELECT 1 FROM rooms WHERE name_key = ${names.key} AND id <> ${roomId})`);
      if (!isFree) return { outcome: 'taken' };
      yield* run(sql`UPDATE rooms SET name_key = ${names.key} WHERE id = ${roomId}`);
      yield* addLooks('room', roomId, names);
    }
    yield* run(sql`
      UPDATE rooms SET kind = ${kind}, deleted_at = NULL, name = ${names.name},
        search_key = ${searchForm(names.name)}, name_form = ${NAME_FORM}
      WHERE id = ${roomId}`);
    const { deletedAt } = deleted;
    const changes = yield* moveMembers(
      roomId,
      comesBack(deletedAt),
      sql`left_at = NULL, read_set = ${USER_SEQ}`,
    );
    const work = yield* beginWork({ roomId, actorId, now });
    if ('outcome' in work) throw new Error('a room was restored and is not there');
    work.room.members = changes.length;
    work.changes.push(...changes);
    yield* addRoomNotice(work, 'restored');
    yield* replaceOwner(work);
    yield* addAudit({ action: 'room_restored', actorId, roomId, now });
    return yield* endWork(work);
  },
};

export const deletionReads: AsSteps<Pick<RoomReads, 'deletedRooms'>> = {
  *deletedRooms({ actorId, now }) {
    if (!mayAdminister(yield* roleOf(actorId))) return undefined;
    return yield* all<DeletedRoomRow>(sql`
      SELECT id, substr(kind, ${DELETED.length + 1}) AS kind, name, number AS messages, deleted_at AS "deletedAt",
        deleted_at + ${RESTORABLE_MS} AS "purgedAt",
        (SELECT count(*) FROM members WHERE room_id = rooms.id AND ${comesBack(sql`rooms.deleted_at`)}) AS members
      FROM rooms WHERE ${isRestorable(now)} ORDER BY deleted_at DESC, id DESC LIMIT 500`);
  },
};

/**
 * The members of a restored room: those who were in it when it was deleted, but for accounts that are removed since.
 */
function comesBack(deletedAt: number | Sql): Sql {
  return sql`left_at = ${deletedAt} AND user_id NOT IN (SELECT id FROM users WHERE kind = ${REMOVED})`;
}

/** Whether the room that is looked at can be restored. Rooms are few, so that this needs no index. */
function isRestorable(now: number): Sql {
  return sql`deleted_at IS NOT NULL AND deleted_at >= ${now - RESTORABLE_MS}`;
}

/** The number that the user's log gives to this change of a membership. */
const USER_SEQ = sql`(SELECT seq FROM user_logs WHERE user_logs.user_id = members.user_id)`;

/** Changes all memberships of a room that are `which`, each with the next number of its user's log. */
function* moveMembers(roomId: number, which: Sql, set: Sql): Steps<UserChange[]> {
  yield* run(sql`
    UPDATE user_logs SET seq = seq + 1
    WHERE user_id IN (SELECT user_id FROM members WHERE room_id = ${roomId} AND ${which})`);
  return yield* all<UserChange>(sql`
    UPDATE members SET ${set}, user_seq = ${USER_SEQ}
    WHERE room_id = ${roomId} AND ${which} RETURNING user_id AS "userId", user_seq AS "userSeq"`);
}

/** What a room consists of beside its row, its messages, and what belongs to each of these. */
const PARTS: readonly Sql[] = [
  sql`saved`,
  sql`thread_members`,
  sql`inbox`,
  sql`notify_log`,
  sql`reports`,
  sql`invites`,
  sql`preview_tasks`,
];

/** Deletes a piece of one room whose 30 days are over. False: there is no such room. */
export function* purgeRooms({ now, limit }: { now: number; limit: number }): Steps<boolean> {
  const room = yield* first<{ id: number }>(
    sql`SELECT id FROM rooms WHERE deleted_at < ${now - RESTORABLE_MS} ORDER BY id LIMIT 1`,
  );
  if (!room) return false;
  const firstOf = (column: Sql) =>
    sql`SELECT ${column} FROM messages WHERE room_id = ${room.id} ORDER BY seq LIMIT ${limit}`;
  for (const table of [sql`message_revisions`, sql`reactions`])
    yield* run(sql`DELETE FROM ${table} WHERE room_id = ${room.id} AND message_id IN (${firstOf(sql`id`)})`);
  yield* deleteFilesOf(room.id, firstOf(sql`id`));
  const messages = yield* all(sql`
    DELETE FROM messages WHERE room_id = ${room.id} AND seq IN (${firstOf(sql`seq`)}) RETURNING seq`);
  if (messages.length === limit) return true;
  // Some of these tables have no index by room. They are read once for each room, not for each piece of it.
  for (const table of PARTS) yield* run(sql`DELETE FROM ${table} WHERE room_id = ${room.id}`);
  // The index forgets the room next, and then deletes its own cursor.
  yield* run(sql`DELETE FROM followers WHERE room_id = ${room.id} AND name <> ${INDEXER}`);
  yield* forgetMembers(room.id);
  yield* run(sql`DELETE FROM room_looks WHERE id = ${room.id}`);
  yield* run(sql`DELETE FROM rooms WHERE id = ${room.id}`);
  return true;
}

/** First their logs lose what these rows said: below that floor, everything is read again. */
function* forgetMembers(roomId: number): Steps<void> {
  yield* run(sql`
    UPDATE user_logs SET floor = (
      SELECT user_seq FROM members WHERE members.user_id = user_logs.user_id AND room_id = ${roomId})
    WHERE user_id IN (SELECT user_id FROM members WHERE room_id = ${roomId} AND user_seq > user_logs.floor)`);
  yield* run(sql`DELETE FROM members WHERE room_id = ${roomId}`);
}
