/** Direct conversations. */
import { DM_PEOPLE_MAX } from '../../../../protocol/limits.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import type { CreateDmOutcome, NewDm, RoomWrites, UserChange } from '../store.ts';
import { hasBlocked } from './members.ts';
import { findRoom } from './room-rows.ts';
import { countMade, HIDDEN } from './rooms.ts';
import { list, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

const DAY_MS = 86_400_000;

export const dmWrites: AsSteps<Pick<RoomWrites, 'createDm'>> = {
  *createDm(dm) {
    const { makerId } = dm;
    const ids = [...new Set([...dm.userIds, makerId])].sort((one, other) => one - other);
    const people = yield* all<{ id: number; role: UserRole; suspendedAt: number | null }>(sql`
      SELECT id, role, suspended_at AS "suspendedAt" FROM users WHERE id IN (${list(ids)}) AND kind <> 'removed'`);
    const maker = people.find(({ id }) => id === makerId);
    if (maker?.suspendedAt !== null) return { outcome: 'user_not_found' };
    // Before the others are looked for: a guest does not learn who there is.
    if (maker.role === 'guest') return { outcome: 'not_allowed' };
    if (people.length < ids.length) return { outcome: 'user_not_found' };
    if (ids.length > DM_PEOPLE_MAX) return { outcome: 'too_many' };
    const key = `${HIDDEN}dm:${ids.join()}`;
    return (yield* find(key, dm)) ?? (yield* make(key, ids, dm));
  },
};

function* find(key: string, { makerId }: NewDm): Steps<CreateDmOutcome | undefined> {
  const known = yield* first<{ id: number }>(sql`SELECT id FROM rooms WHERE name_key = ${key}`);
  const room = known && (yield* findRoom(known.id));
  if (!room) return undefined;
  return { outcome: 'found', room, changes: yield* unhide(room.id, makerId) };
}

function* make(key: string, ids: readonly number[], dm: NewDm): Steps<CreateDmOutcome> {
  const { makerId, now, maxPerDay } = dm;
  if (yield* hasBlocked(list(ids), makerId)) return { outcome: 'not_allowed' };
  const isOver =
    maxPerDay > 0 && (yield* countMade(makerId, { since: now - DAY_MS, isDm: true })) >= maxPerDay;
  if (isOver) return { outcome: 'too_many' };
  // Of several makers at once, on any adapter, this INSERT lets one in.
  const created = yield* first<{ id: number }>(sql`
    INSERT INTO rooms (name, name_key, kind, owner_id, members, created_at, last_at)
    VALUES ('', ${key}, 'dm', ${makerId}, ${ids.length}, ${now}, ${now})
    ON CONFLICT (name_key) DO NOTHING RETURNING id`);
  if (!created) return (yield* find(key, dm)) ?? { outcome: 'user_not_found' };
  const userSeq = yield* nextUserSeq(makerId);
  for (const userId of ids) {
    const isMaker = userId === makerId;
    // Until somebody writes there, it shows to its maker only: it is in no other log yet.
    yield* run(sql`
      INSERT INTO members (room_id, user_id, joined_at, hidden, user_seq)
      VALUES (${created.id}, ${userId}, ${now}, ${isMaker ? 0 : 1}, ${isMaker ? userSeq : 0})`);
  }
  const room = yield* findRoom(created.id);
  if (!room) throw new Error('a direct conversation was made and is not there');
  return { outcome: 'created', room, changes: [{ userId: makerId, userSeq }] };
}

/** Puts it back on this user's list. */
function* unhide(roomId: number, userId: number): Steps<UserChange[]> {
  const hidden = yield* first(sql`
    SELECT 1 FROM members WHERE user_id = ${userId} AND room_id = ${roomId} AND hidden = 1`);
  if (!hidden) return [];
  const userSeq = yield* nextUserSeq(userId);
  yield* run(sql`
    UPDATE members SET hidden = 0, user_seq = ${userSeq} WHERE user_id = ${userId} AND room_id = ${roomId}`);
  return [{ userId, userSeq }];
}
