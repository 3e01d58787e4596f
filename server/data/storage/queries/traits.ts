/**
 * What each write locks before its first statement. All writes are READ COMMITTED: what a write decides on is locked,
 * so nothing that it has read changes before its commit.
 *
 * The order is: rooms by id, names, users' rows, sessions, users' logs by id, memberships, cursors of followers by
 * room. No write takes an earlier kind after a later one, so no two wait for each other in a circle.
 */
import type { SqlWrites } from '../queries/queries.ts';
import { list, type Sql, sql } from '../queries/sql.ts';
import type { ArgsOf } from '../store/operation.ts';

/** Keys of advisory locks, each for one decision about many rows. */
const ROOM_NAMES = 1;
const USER_NAMES = 2;
const ADMINS = 3;
const PURGE = 4;

export interface Locks {
  /** Runs in the lane of this room, between the posts before it and after it, with the room's row locked. */
  roomId?: number;
  /** Statements that lock. */
  first?: readonly Sql[];
}

type LocksOf = { [Name in keyof SqlWrites]: (args: ArgsOf<SqlWrites[Name]>) => Locks };

export const LOCKS: LocksOf = {
  createUser: () => ({ first: [names(USER_NAMES)] }),
  createSession: ({ userId }) => ({ first: [user(userId)] }),
  changePassword: ({ userId }) => ({ first: [user(userId)] }),
  exchangeRefreshToken: none,
  revokeSession: none,
  spendTicket: none,
  changeProfile: ({ userId }) => ({ first: [user(userId)] }),
  setBlock: ({ userId }) => ({ first: [actors([userId]), userLogs([userId])] }),
  endSession: none,
  claimSetup: ({ userId }) => ({ first: [names(ADMINS), user(userId), userLogs([userId])] }),
  beginSetup: () => ({ first: [names(ADMINS)] }),
  createRoom: ({ ownerId }) => ({ first: [names(ROOM_NAMES), user(ownerId)] }),
  createDm: ({ makerId }) => ({ first: [user(makerId)] }),
  changeRoom: ({ roomId, names: named }) => ({ roomId, first: named ? [names(ROOM_NAMES)] : [] }),
  deleteRoom: ({ roomId }) => ({ roomId, first: [names(ROOM_NAMES), memberLogs(roomId)] }),
  restoreRoom: ({ roomId }) => ({ roomId, first: [names(ROOM_NAMES), memberLogs(roomId)] }),
  saveRoster: none,
  takeRoster: none,
  joinRoom: ({ roomId, userId }) => ({ roomId, first: [actors([userId])] }),
  leaveRoom: inRoom,
  setMember: ({ roomId, actorId, userId }) => ({ roomId, first: [actors([actorId, userId])] }),
  removeMember: inRoom,
  joinDefaultRooms: ({ userId }) => ({ first: [DEFAULT_ROOMS, actors([userId])] }),
  setPrefs: ({ userId }) => ({ first: [userLogs([userId])] }),
  markRead: (marks) => ({ first: [userLogs(marks.map(({ userId }) => userId))] }),
  createInvite: ({ roomId, createdBy }) => ({ roomId, first: [actors([createdBy])] }),
  // Its room is looked up by the code: postgres-store.ts.
  acceptInvite: ({ userId }) => ({ first: [actors([userId])] }),
  revokeInvite: inRoom,
  post: ({ roomId, userId }) => ({ roomId, first: [actors([userId])] }),
  editMessage: inRoom,
  deleteMessage: inRoom,
  react: inRoom,
  pin: inRoom,
  save: ({ actorId }) => ({ first: [actors([actorId]), userLogs([actorId])] }),
  putPushKeys: none,
  // Its end would not see the new subscription otherwise.
  putPushSubscription: ({ sessionId }) => ({ first: [session(sessionId)] }),
  deletePushSubscription: none,
  settlePush: none,
  changeThread: inRoom,
  followThread: ({ userId }) => ({ first: [actors([userId]), userLogs([userId])] }),
  readThread: ({ userId }) => ({ first: [actors([userId]), userLogs([userId])] }),
  leaseFollower: none,
  moveFollower: none,
  attend: ({ inbox, threads, notices }) => ({
    first: [
      actors([...inbox, ...threads, ...notices].map(({ userId }) => userId)),
      userLogs([...inbox, ...threads].map(({ userId }) => userId)),
    ],
  }),
  settleNotices: none,
  setSuspended: onPerson,
  setRole: ({ userId }) => ({ first: [names(ADMINS), user(userId), userLogs([userId])] }),
  renameUser: ({ userId }) => ({ first: [names(USER_NAMES), names(ADMINS), user(userId)] }),
  endSessions: onPerson,
  createReset: onPerson,
  // Its maker's role is decided on, too, which an admin may change.
  useReset: ({ codeHash }) => ({ first: [names(ADMINS), userOfReset(codeHash)] }),
  setRegistration: () => ({ first: [names(ADMINS)] }),
  createServerInvite: () => ({ first: [names(ADMINS)] }),
  revokeServerInvite: () => ({ first: [names(ADMINS)] }),
  mute: ({ roomId, userId }) => ({ roomId, first: [actors([userId])] }),
  ban: ({ roomId, userId }) => ({ roomId, first: [actors([userId])] }),
  report: none,
  closeReport: none,
  removeUser: outOfRooms,
  endRegistered: outOfRooms,
  textsDeleted: none,
  pruneTexts: inRoom,
  pruneAudit: none,
  takeTurn: none,
  setTurn: none,
  touch: none,
  purgeSome: () => ({ first: [names(PURGE)] }),
  purgeRooms: () => ({ first: [names(PURGE)] }),
};

/** The room of an invitation, whatever its state. */
export function roomOfInvite(codeHash: string): Sql {
  return sql`SELECT room_id AS "roomId" FROM invites WHERE code_hash = ${codeHash} AND room_id IS NOT NULL`;
}

export function room(id: number): Sql {
  return sql`SELECT 1 FROM rooms WHERE id = ${id} FOR NO KEY UPDATE`;
}

const DEFAULT_ROOMS = sql`
  SELECT 1 FROM rooms WHERE is_default = 1 AND kind = 'public' ORDER BY id FOR NO KEY UPDATE`;

/** The rooms that the user is a member of. */
function roomsOf(userId: number): Sql {
  return sql`
    SELECT 1 FROM rooms WHERE id IN (SELECT room_id FROM members WHERE user_id = ${userId} AND left_at IS NULL)
    ORDER BY id FOR NO KEY UPDATE`;
}

function none(): Locks {
  return {};
}

function inRoom({ roomId }: { roomId: number }): Locks {
  return { roomId };
}

/** Admins act one after another, so that none of them acts with a role that was just taken. */
function onPerson({ userId }: { userId: number }): Locks {
  return { first: [names(ADMINS), user(userId)] };
}

/** The rooms once more: those that the person has joined while the account's row was waited for. */
function outOfRooms({ userId }: { userId: number }): Locks {
  return { first: [roomsOf(userId), names(ADMINS), leaving(userId), roomsOf(userId)] };
}

function names(key: number): Sql {
  return sql`SELECT pg_advisory_xact_lock(${key}::bigint)::text`;
}

function user(id: number): Sql {
  return sql`SELECT 1 FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
}

/**
 * Of people in whose name something is written that a removal takes away. They may be written for at the same time, but
 * not removed.
 */
function actors(ids: readonly (number | null)[]): Sql {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return sql`SELECT 1`;
  return sql`SELECT 1 FROM users WHERE id IN (${list(known)}) ORDER BY id FOR KEY SHARE`;
}

/** Waits for everything that is being written in the person's name, and lets nothing more begin. */
function leaving(id: number): Sql {
  return sql`SELECT 1 FROM users WHERE id = ${id} FOR UPDATE`;
}

function userOfReset(codeHash: string): Sql {
  return sql`
    SELECT 1 FROM users WHERE id = (SELECT user_id FROM password_resets WHERE code_hash = ${codeHash}) FOR NO KEY UPDATE`;
}

function session(id: number): Sql {
  return sql`SELECT 1 FROM sessions WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Locks the logs of everybody who is or was a member. */
function memberLogs(roomId: number): Sql {
  return sql`
    SELECT 1 FROM user_logs WHERE user_id IN (SELECT user_id FROM members WHERE room_id = ${roomId})
    ORDER BY user_id FOR NO KEY UPDATE`;
}

function userLogs(ids: readonly number[]): Sql {
  if (ids.length === 0) return sql`SELECT 1`;
  return sql`SELECT 1 FROM user_logs WHERE user_id IN (${list([...new Set(ids)])}) ORDER BY user_id FOR NO KEY UPDATE`;
}
