/**
 * What all changes of a room and of its members have in common: the actor, the notices in the room's log, and the rows
 * in the logs of users.
 */
import { MEMBERSHIPS_MAX, ROOM_MEMBERS_MAX } from '../../../../protocol/limits.ts';
import type { Notice } from '../../../../protocol/notices.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import type { RoomFacts, RoomRole } from '../../../../protocol/rooms.ts';
import { type Action, may, type Verdict } from '../../../rules/room-access.ts';
import { roomStateOf, settingsOf, verdictOn } from '../../../rules/standing.ts';
import type { MembershipRow, MessageRow, RoomChange, RoomRow, UserChange, UserRow } from '../store.ts';
import { NOTICE } from './message-rows.ts';
import { ABSENT, findRoomAndHead, type RoomHead } from './room-rows.ts';
import { sql, withShortcut } from './sql.ts';
import { findMembership } from './standing.ts';
import { first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

/** A change under way: the room and the actor as they were found, and what was done so far. */
export interface RoomWork extends RoomHead {
  /** Kept up to date while the change goes on. */
  room: RoomRow;
  by: UserRow;
  userRole: UserRole;
  /** The operator acts as an owner of the room would. */
  isOperator: boolean;
  member: MembershipRow | null;
  now: number;
  notices: MessageRow[];
  changes: UserChange[];
}

type Refusal = Exclude<RoomChange, { room: RoomRow }>;

/**
 * Reads what a change by this actor depends on, who is neither suspended nor removed. The room's row comes first: on
 * PostgreSQL it is what others wait for.
 */
export function* beginWork(of: {
  roomId: number;
  /** Null: the operator, in whose name notices name an admin; the audit log has the truth. */
  actorId: number | null;
  now: number;
}): Steps<RoomWork | Refusal> {
  const { roomId, actorId, now } = of;
  const found = yield* findRoomAndHead(roomId);
  const who = actorId === null ? sql`${STAND_IN}` : sql`${actorId} AND suspended_at IS NULL`;
  const select = sql`SELECT id, username, role FROM users WHERE id = ${who}`;
  const actor = yield* first<UserRow & { role: UserRole }>(
    withShortcut(select, { kind: 'known', key: actorId === null ? 'the operator' : `user ${actorId}` }),
  );
  // A room that is not there takes the work of one that is hidden.
  const member = actor ? yield* findMembership({ roomId, userId: actor.id }) : null;
  if (!actor) return { outcome: 'user_not_found' };
  const { role: userRole, ...by } = actor;
  const { room, lastAt, stateSeq } = found ?? NO_ROOM;
  const isOperator = actorId === null;
  const work = { room, lastAt, stateSeq, by, userRole, isOperator, member, now, notices: [], changes: [] };
  if (found) return work;
  refusal(work, 'see');
  return { outcome: 'room_not_found' };
}

const NO_ROOM = { room: { ...ABSENT, isDefault: false }, lastAt: 0, stateSeq: 0 };

/** The first admin, or else the first user. */
const STAND_IN = sql`(SELECT id FROM users ORDER BY role = 'admin' DESC, id LIMIT 1)`;

/** Nobody, the operator neither, acts in a room that is deleted. */
function verdictOnOperator(action: Action, { room }: RoomWork): Verdict {
  const owner = { role: 'owner', hasLeft: false, isBanned: false, isSilenced: false } as const;
  return room.kind === 'dm' || room.kind === 'public' || room.kind === 'private'
    ? may(action, { role: 'admin' }, roomStateOf(room), owner)
    : 'hidden';
}

/** Why the actor may not do this; undefined when they may. */
export function refusal(work: RoomWork, action: Action): Refusal | undefined {
  const verdict = work.isOperator ? verdictOnOperator(action, work) : verdictOn(action, work, work.now);
  if (verdict === 'allowed') return undefined;
  return { outcome: verdict === 'hidden' ? 'room_not_found' : 'not_allowed' };
}

/** Stores the room's new numbers, and returns the outcome of the change. */
export function* endWork(work: RoomWork): Steps<RoomChange> {
  const { room, lastAt, stateSeq, notices, changes } = work;
  if (notices.length === 0 && changes.length === 0) return { outcome: 'unchanged', room };
  yield* run(sql`
    UPDATE rooms SET seq = ${room.seq}, last_at = ${lastAt}, state_seq = ${stateSeq}, members = ${room.members}
    WHERE id = ${room.id}`);
  return { outcome: 'changed', room, notices, changes };
}

/** The room has a new state. */
export function addRoomNotice(
  work: RoomWork,
  kind: Extract<Notice, { room: RoomFacts }>['kind'],
): Steps<void> {
  work.stateSeq = work.room.seq + 1;
  return addNotice(work, { kind, by: personOf(work.by), room: factsOf(work.room) });
}

/** A member has a new role, or is no longer a member. */
export function addMemberNotice(
  work: RoomWork,
  kind: Exclude<Notice, { room: RoomFacts }>['kind'],
  { user, role }: { user: UserRow; role: RoomRole | null },
): Steps<void> {
  return addNotice(work, { kind, by: personOf(work.by), member: { ...personOf(user), role } });
}

/** The next event of the room. It counts as no text, so it repeats the room's number. */
function* addNotice(work: RoomWork, content: Notice): Steps<void> {
  const { room, by } = work;
  const seq = room.seq + 1;
  const createdAt = Math.max(work.now, work.lastAt);
  const notice = JSON.stringify(content);
  const inserted = yield* first<{ id: number }>(sql`
    INSERT INTO messages (room_id, seq, changed_seq, number, kind, user_id, content, created_at, extra)
    VALUES (${room.id}, ${seq}, ${seq}, ${room.number}, ${NOTICE}, ${by.id}, '', ${createdAt}, ${notice})
    RETURNING id`);
  if (!inserted) throw new Error('a notice was inserted and returned no id');
  room.seq = seq;
  work.lastAt = createdAt;
  work.notices.push({
    id: inserted.id,
    roomId: room.id,
    seq,
    changedSeq: seq,
    userId: by.id,
    username: by.username,
    cid: null,
    content: '',
    createdAt,
    notice,
    facts: null,
  });
}

/**
 * Makes the user a member who has read everything. A former member's ban or silence stays, but no read mark from
 * before: the new `read_set` makes the server ignore it, and tells the client, which may have missed the loss of the
 * room.
 */
export function* putMember(
  work: RoomWork,
  { userId, role, invitedBy }: { userId: number; role: RoomRole; invitedBy: number | null },
): Steps<void> {
  const { room, now } = work;
  const userSeq = yield* nextUserSeq(userId);
  yield* run(sql`
    INSERT INTO members (room_id, user_id, role, joined_at, invited_by, read_seq, read_number, user_seq)
    VALUES (${room.id}, ${userId}, ${role}, ${now}, ${invitedBy}, ${room.seq}, ${room.number}, ${userSeq})
    ON CONFLICT (user_id, room_id) DO UPDATE SET role = excluded.role, joined_at = excluded.joined_at,
      left_at = NULL, invited_by = excluded.invited_by, hidden = 0, read_seq = excluded.read_seq,
      read_number = excluded.read_number, read_set = excluded.user_seq, user_seq = excluded.user_seq`);
  room.members++;
  work.changes.push({ userId, userSeq });
}

/** Ends a membership. */
export function* dropMember(work: RoomWork, userId: number): Steps<void> {
  const userSeq = yield* nextUserSeq(userId);
  yield* run(sql`
    UPDATE members SET left_at = ${work.now}, user_seq = ${userSeq}
    WHERE user_id = ${userId} AND room_id = ${work.room.id}`);
  work.room.members--;
  work.changes.push({ userId, userSeq });
}

/** Whether the room can have another member, and this user another membership. */
export function* hasPlace(room: RoomRow, userId: number): Steps<boolean> {
  return room.members < ROOM_MEMBERS_MAX && (yield* countMemberships(userId)) < MEMBERSHIPS_MAX;
}

/** Direct conversations do not count. */
export function* countMemberships(userId: number): Steps<number> {
  const row = yield* first<{ count: number }>(sql`
    SELECT count(*) AS count FROM members JOIN rooms ON rooms.id = members.room_id
    WHERE members.user_id = ${userId} AND members.left_at IS NULL AND rooms.kind <> 'dm'`);
  return row?.count ?? 0;
}

export function isIn(member: MembershipRow | null): member is MembershipRow {
  return member !== null && member.leftAt === null;
}

function personOf({ id, username }: UserRow): { user_id: number; username: string } {
  return { user_id: id, username };
}

function factsOf(room: RoomRow): RoomFacts {
  const { kind, name, topic, description, emoji, hue } = room;
  return {
    kind,
    name,
    topic,
    description,
    emoji,
    hue,
    archived: room.archivedAt !== null,
    settings: settingsOf(room),
  };
}
