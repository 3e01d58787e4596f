/** Removing an account. */
import type { MessageRow, RemovalReads, RemovalWrites, UserChange } from '../store.ts';
import { beginRemoval, endSessionsOf, type Person } from './administration.ts';
import { addAudit } from './audit.ts';
import { deleteUploadsOf } from './files.ts';
import { dropLooks } from './looks.ts';
import { REMOVED } from './removed-names.ts';
import { endResetsOf } from './resets.ts';
import { addMemberNotice, beginWork, dropMember, endWork, type RoomWork } from './room-work.ts';
import { HIDDEN } from './rooms.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

/** In the settings of a removed account: its texts are still to be deleted. */
const TEXTS_TO_DELETE = '{"texts":"delete"}';

export const removalWrites: AsSteps<RemovalWrites> = {
  *removeUser({ actorId, userId, deletesTexts, reason, now }) {
    const person = yield* beginRemoval(actorId, userId);
    if ('outcome' in person) return person;
    const isAgain = person.kind === REMOVED;
    const details = { texts: deletesTexts ? 'deleted' : 'kept', ...(reason !== '' && { reason }) };
    if (!isAgain) yield* addAudit({ action: 'user_removed', actorId, userId, now, details });
    const removed = yield* removePerson(person, { actorId, deletesTexts, now });
    const isNothingLeft = removed.changes.length === 0 && removed.ended.length === 0;
    return isAgain && isNothingLeft ? { outcome: 'unchanged', user: removed.user } : removed;
  },

  *textsDeleted(userId) {
    yield* run(sql`UPDATE users SET settings = '{}' WHERE id = ${userId} AND kind = ${REMOVED}`);
  },
};

export const removalReads: AsSteps<RemovalReads> = {
  *textsToDelete() {
    const people = yield* all<{ id: number }>(
      sql`SELECT id FROM users WHERE kind = ${REMOVED} AND settings = ${TEXTS_TO_DELETE} ORDER BY id`,
    );
    const found: { userId: number; roomIds: number[] }[] = [];
    for (const { id: userId } of people) {
      // All public rooms are searched: at a cap of memberships, or of members, people write there without joining.
      const rooms = yield* all<{ id: number }>(sql`
        SELECT id FROM rooms WHERE kind IN ('public', 'deleted_public')
          OR id IN (SELECT room_id FROM members WHERE user_id = ${userId}) ORDER BY id`);
      found.push({ userId, roomIds: rooms.map(({ id }) => id) });
    }
    return found;
  },
};

/** Without a row of the audit log. */
export function* removePerson(
  person: Person,
  { actorId, deletesTexts, now }: { actorId: number | null; deletesTexts: boolean; now: number },
) {
  const userId = person.user.id;
  const settings = deletesTexts ? TEXTS_TO_DELETE : '{}';
  // In releases before, a request on its way could leave something behind: a second removal takes that, too.
  const ended = yield* endSessionsOf(userId, now);
  const left = yield* leaveRooms(person.user, actorId, now);
  for (const table of OWN) yield* run(sql`DELETE FROM ${table} WHERE user_id = ${userId}`);
  yield* endResetsOf(userId);
  yield* deleteUploadsOf(userId);
  yield* run(
    sql`UPDATE invites SET revoked_at = ${now}, expires_at = ${now}
      WHERE created_by = ${userId} AND by_operator = 0 AND expires_at > ${now}`,
  );
  yield* dropLooks('user', userId);
  // Nobody can take this name: server/rules/names/looks.ts keeps it.
  const username = `Removed user ${userId}`;
  const changed = yield* first<{ version: number }>(sql`
    UPDATE users SET username = ${username}, username_key = ${`${HIDDEN}removed:${userId}`}, password_hash = '', kind = ${REMOVED},
      role = 'member', display_name = '', status = NULL, avatar_key = NULL, time_zone = NULL, locale = NULL,
      email = NULL, settings = CASE WHEN kind = ${REMOVED} AND ${deletesTexts ? 1 : 0} = 0 THEN settings ELSE ${settings} END,
      suspended_at = ${now}, version = version + 1
    WHERE id = ${userId} RETURNING version`);
  return {
    outcome: 'changed' as const,
    user: { id: userId, username },
    version: changed?.version ?? 0,
    ended,
    ...left,
  };
}

/** What is the person's alone. Memberships stay as those of somebody who has left. */
const OWN: readonly Sql[] = [
  sql`push_subscriptions`,
  sql`saved`,
  sql`thread_members`,
  sql`inbox`,
  sql`notify_log`,
  sql`blocks`,
  sql`user_words`,
  sql`preview_tasks`,
];

/** Direct conversations are kept: they are the other person's, too. */
export function* leaveRooms(user: { id: number; username: string }, actorId: number | null, now: number) {
  const notices: MessageRow[] = [];
  const changes: UserChange[] = [];
  const rooms = yield* all<{ id: number }>(sql`
    SELECT room_id AS id FROM members JOIN rooms ON rooms.id = room_id
    WHERE user_id = ${user.id} AND left_at IS NULL AND kind IN ('public', 'private') ORDER BY room_id`);
  for (const { id: roomId } of rooms) {
    const work = yield* beginWork({ roomId, actorId, now });
    if ('outcome' in work) continue;
    if (work.room.kind === 'private') yield* addMemberNotice(work, 'removed', { user, role: null });
    yield* dropMember(work, user.id);
    yield* replaceOwner(work);
    const ended = yield* endWork(work);
    if (ended.outcome !== 'changed') continue;
    notices.push(...ended.notices);
    changes.push(...ended.changes);
  }
  return { notices, changes };
}

/** Gives a room that has no owner a new one, if it has members. */
export function* replaceOwner(work: RoomWork): Steps<void> {
  const { id: roomId } = work.room;
  const heir = yield* findHeir(roomId);
  if (!heir) return;
  yield* run(sql`UPDATE members SET role = 'owner' WHERE room_id = ${roomId} AND user_id = ${heir.id}`);
  yield* addMemberNotice(work, 'role', { user: heir, role: 'owner' });
}

/** Who becomes the owner of a room that has none: the moderator, or else the member, who has been there longest. */
function* findHeir(roomId: number): Steps<{ id: number; username: string } | undefined> {
  return yield* first(sql`
    SELECT users.id, username FROM members JOIN users ON users.id = user_id
    WHERE room_id = ${roomId} AND left_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM members WHERE room_id = ${roomId} AND left_at IS NULL AND role = 'owner')
    ORDER BY CASE members.role WHEN 'moderator' THEN 0 ELSE 1 END, joined_at, users.id LIMIT 1`);
}
