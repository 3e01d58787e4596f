/** Membership. */
import type { RoomRole } from '../../../../protocol/rooms.ts';
import { effectiveRole, outranks } from '../../../rules/room-access.ts';
import { memberStateOf, roomStateOf } from '../../../rules/standing.ts';
import type { MembershipRow, MemberWrites, RoomChange, UserChange, UserRow } from '../store.ts';
import { addAudit } from './audit.ts';
import { selectRooms } from './room-rows.ts';
import {
  addMemberNotice,
  beginWork,
  dropMember,
  endWork,
  hasPlace,
  isIn,
  putMember,
  type RoomWork,
  refusal,
} from './room-work.ts';
import { type Sql, sql } from './sql.ts';
import { findMembership, shareRoom } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

type RoomCommands = 'joinRoom' | 'leaveRoom' | 'setMember' | 'removeMember' | 'joinDefaultRooms';

export const memberWrites: AsSteps<Pick<MemberWrites, RoomCommands>> = {
  *joinRoom({ roomId, userId, now, isSilent = false }) {
    const work = yield* beginWork({ roomId, actorId: userId, now });
    if ('outcome' in work) return work;
    const refused = refusal(work, 'join');
    if (refused) return refused;
    // Posting makes a member in public rooms only: elsewhere only members post.
    if (isSilent && work.room.kind !== 'public') return { outcome: 'not_allowed' };
    return yield* enter(work, null);
  },

  *leaveRoom({ roomId, userId, now }) {
    const work = yield* beginWork({ roomId, actorId: userId, now });
    if ('outcome' in work) return work;
    const refused = refusal(work, 'leave');
    if (refused) return refused;
    return yield* leave(work);
  },

  *setMember({ roomId, actorId, userId, role, now }) {
    const work = yield* beginWork({ roomId, actorId, now });
    if ('outcome' in work) return work;
    const hidden = refusal(work, 'see');
    if (hidden) return hidden;
    const user = yield* findKnown(work, userId);
    if (!user) return { outcome: 'user_not_found' };
    const member = yield* findMembership({ roomId, userId });
    if (isIn(member)) return yield* changeRole(work, { user, member, role: role ?? member.role });
    return yield* add(work, { user, member, role: role ?? 'member' });
  },

  *removeMember({ roomId, actorId, userId, now }) {
    const work = yield* beginWork({ roomId, actorId, now });
    if ('outcome' in work) return work;
    if (actorId === userId) return refusal(work, 'leave') ?? (yield* leave(work));
    const hidden = refusal(work, 'see');
    if (hidden) return hidden;
    const user = yield* findKnown(work, userId);
    if (!user) return { outcome: 'user_not_found' };
    const refused = refusal(work, 'remove_member');
    if (refused) return refused;
    const member = yield* findMembership({ roomId, userId });
    if (!isIn(member)) return { outcome: 'unchanged', room: work.room };
    const own = ownRole(work);
    if (own === null || !outranks(own, member.role)) return { outcome: 'not_allowed' };
    yield* addMemberNotice(work, 'removed', { user, role: null });
    yield* dropMember(work, userId);
    yield* addAudit({ action: 'removed', actorId, roomId, userId, now });
    return yield* endWork(work);
  },

  *joinDefaultRooms({ userId, now }) {
    const changes: UserChange[] = [];
    const rooms = yield* selectRooms(
      sql`WHERE is_default = 1 AND kind = 'public' AND archived_at IS NULL ORDER BY id`,
    );
    for (const { id: roomId } of rooms) {
      const joined = yield* memberWrites.joinRoom({ roomId, userId, now });
      if (joined.outcome === 'changed') changes.push(...joined.changes);
    }
    return changes;
  },
};

/**
 * The actor becomes a member, by joining or by an invitation; the caller has checked that they may. In a private room
 * this is a notice; in a public one it is silent and takes no number.
 */
export function* enter(work: RoomWork, invitedBy: number | null): Steps<RoomChange> {
  const { room, by } = work;
  if (isIn(work.member)) return { outcome: 'unchanged', room };
  if (!(yield* hasPlace(room, by.id))) return { outcome: 'too_many' };
  if (room.kind === 'private') yield* addMemberNotice(work, 'joined', { user: by, role: 'member' });
  yield* putMember(work, { userId: by.id, role: 'member', invitedBy });
  return yield* endWork(work);
}

function* leave(work: RoomWork): Steps<RoomChange> {
  const { room, by, member } = work;
  if (member?.role === 'owner' && (yield* isLastOwner(room.id))) return { outcome: 'last_owner' };
  if (room.kind === 'private') yield* addMemberNotice(work, 'left', { user: by, role: null });
  yield* dropMember(work, by.id);
  return yield* endWork(work);
}

function* add(
  work: RoomWork,
  { user, member, role }: { user: UserRow; member: MembershipRow | null; role: RoomRole },
): Steps<RoomChange> {
  const refused = refusal(work, 'add_member') ?? (role === 'member' ? undefined : refusal(work, 'set_role'));
  if (refused) return refused;
  const isBanned = member !== null && memberStateOf(member, work.now).isBanned;
  if (isBanned || (yield* hasBlocked(sql`${user.id}`, work.by.id))) return { outcome: 'not_allowed' };
  if (!(yield* hasPlace(work.room, user.id))) return { outcome: 'too_many' };
  yield* addMemberNotice(work, 'added', { user, role });
  yield* putMember(work, { userId: user.id, role, invitedBy: work.by.id });
  return yield* endWork(work);
}

function* changeRole(
  work: RoomWork,
  { user, member, role }: { user: UserRow; member: MembershipRow; role: RoomRole },
): Steps<RoomChange> {
  const { room } = work;
  const isSame = role === member.role;
  const refused = refusal(work, isSame ? 'add_member' : 'set_role');
  if (refused) return refused;
  if (isSame) return { outcome: 'unchanged', room };
  if (member.role === 'owner' && (yield* isLastOwner(room.id))) return { outcome: 'last_owner' };
  yield* addMemberNotice(work, 'role', { user, role });
  const act = {
    action: 'room_role',
    actorId: work.by.id,
    roomId: room.id,
    userId: user.id,
    now: work.now,
  } as const;
  yield* addAudit({ ...act, details: { from: member.role, to: role } });
  const userSeq = yield* nextUserSeq(user.id);
  yield* run(sql`
    UPDATE members SET role = ${role}, user_seq = ${userSeq} WHERE user_id = ${user.id} AND room_id = ${room.id}`);
  work.changes.push({ userId: user.id, userSeq });
  return yield* endWork(work);
}

/** The user, where the actor may know of them: a guest knows only those with whom they share a room. */
export function* findKnown({ by, userRole }: RoomWork, userId: number): Steps<UserRow | undefined> {
  const known = userRole === 'guest' ? shareRoom(by.id, sql`users.id`) : sql`true`;
  return yield* first(
    sql`SELECT id, username FROM users WHERE id = ${userId} AND kind <> 'removed' AND ${known}`,
  );
}

/** Whether one of these users has blocked the other one. */
export function* hasBlocked(userIds: Sql, otherId: number): Steps<boolean> {
  const block = yield* first(sql`
    SELECT 1 FROM blocks WHERE user_id IN (${userIds}) AND blocked_id = ${otherId} AND removed = 0`);
  return block !== undefined;
}

export function ownRole({ room, userRole, member, now }: RoomWork): RoomRole | null {
  return effectiveRole({ role: userRole }, roomStateOf(room), member && memberStateOf(member, now));
}

function* isLastOwner(roomId: number): Steps<boolean> {
  const owners = yield* all(sql`
    SELECT user_id FROM members WHERE room_id = ${roomId} AND left_at IS NULL AND role = 'owner' LIMIT 2`);
  return owners.length < 2;
}
