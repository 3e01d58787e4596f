/**
 * What the adapters must know of each write besides its statements; read-traits.ts has the reads.
 *
 * Locks, on PostgreSQL: all writes are READ COMMITTED. What a write decides on is locked before its first statement, so
 * nothing that it has read changes before its commit. The order is: rooms by id, names, users' rows, invitations,
 * sessions, users' logs by id, memberships, cursors of consumers by room, emoji. No write takes an earlier kind after a later one, so no two
 * wait for each other in a circle.
 */
import { nameOfEmoji } from '../../../../protocol/names.ts';
import { picturesIn } from '../../../rules/link-previews.ts';
import type { ArgsOf, ResultOf } from '../store/operation.ts';
import type { SqlWrites } from './queries.ts';
import { signInKey } from './resets.ts';
import { list, type Sql, sql } from './sql.ts';

/** Keys of advisory locks, each for one decision about many rows. */
const ROOM_NAMES = 1;
const USER_NAMES = 2;
const ADMINS = 3;
const PURGE = 4;
/** What files count, and whose they are. */
const FILE_USAGE = 5;

export interface Locks {
  /** Runs in the lane of this room, between the posts before it and after it, with the room's row locked. */
  roomId?: number;
  /** Statements that lock. */
  first?: readonly Sql[];
}

/** What the adapters must know of a write. */
export interface WriteTraits<Args, Result> {
  /** On PostgreSQL. */
  locks(args: Args): Locks;
  /** It never changes whether somebody may post in a room: what SQLite's writer knows of authors stays true. */
  keepsAuthors: boolean;
  /** With this result it has deleted what nobody may read again: SQLite must remove it from its files, too (G16). */
  erases(result: Result): boolean;
}

/** Every write has its row: without one it does not compile. */
export const WRITE_TRAITS: {
  [Name in keyof SqlWrites]: WriteTraits<ArgsOf<SqlWrites[Name]>, ResultOf<SqlWrites[Name]>>;
} = {
  createUser: change(({ inviteHash }) => ({
    first: [names(USER_NAMES), ...(inviteHash === undefined ? [] : [invitation(inviteHash)])],
  })),
  createSession: frequent(({ userId }) => ({ first: [user(userId)] })),
  changePassword: change(({ userId }) => ({ first: [user(userId)] })),
  exchangeRefreshToken: frequent(none),
  revokeSession: frequent(none),
  spendTicket: frequent(none),
  changeProfile: change(({ userId, avatarKey }) => ({
    first: [...(avatarKey === undefined ? [] : [names(FILE_USAGE)]), user(userId)],
  })),
  setBlock: change(({ userId }) => ({ first: [actors([userId]), userLogs([userId])] })),
  endSession: change(none),
  claimSetup: change(({ userId }) => ({ first: [names(ADMINS), user(userId), userLogs([userId])] })),
  beginSetup: change(() => ({ first: [names(ADMINS)] })),
  createRoom: change(({ ownerId }) => ({ first: [names(ROOM_NAMES), user(ownerId)] })),
  createDm: change(({ makerId }) => ({ first: [user(makerId)] })),
  changeRoom: change(({ roomId, names: named }) => ({ roomId, first: named ? [names(ROOM_NAMES)] : [] })),
  deleteRoom: change(({ roomId }) => ({ roomId, first: [names(ROOM_NAMES), memberLogs(roomId)] })),
  restoreRoom: change(({ roomId }) => ({ roomId, first: [names(ROOM_NAMES), memberLogs(roomId)] })),
  saveRoster: change(none),
  takeRoster: change(none),
  joinRoom: change(({ roomId, userId }) => ({ roomId, first: [actors([userId])] })),
  leaveRoom: change(inRoom),
  setMember: change(({ roomId, actorId, userId }) => ({ roomId, first: [actors([actorId, userId])] })),
  removeMember: change(inRoom),
  joinDefaultRooms: change(({ userId }) => ({ first: [DEFAULT_ROOMS, actors([userId])] })),
  setPrefs: frequent(({ userId }) => ({ first: [userLogs([userId])] })),
  markRead: frequent((marks) => ({ first: [userLogs(marks.map(({ userId }) => userId))] })),
  createInvite: change(({ roomId, createdBy }) => ({ roomId, first: [actors([createdBy])] })),
  // Its room is looked up by the code: postgres-store.ts.
  acceptInvite: change(({ userId, codeHash }) => ({ first: [actors([userId]), invitation(codeHash)] })),
  revokeInvite: change(inRoom),
  post: frequent(({ roomId, userId, files = [] }) => ({
    roomId,
    first: [...(files.length > 0 ? [names(FILE_USAGE)] : []), actors([userId])],
  })),
  editMessage: frequent(inRoom),
  deleteMessage: erasing(frequent(inRoom)),
  describeFile: frequent(inRoom),
  deleteFile: erasing(frequent(inRoom)),
  react: frequent(({ roomId, emoji, on }) => {
    const name = on ? nameOfEmoji(emoji) : null;
    return { roomId, first: name === null ? [] : [emojiNamed(name)] };
  }),
  pin: frequent(inRoom),
  save: frequent(({ actorId }) => ({ first: [actors([actorId]), userLogs([actorId])] })),
  putPushKeys: change(none),
  // Its end would not see the new subscription otherwise.
  putPushSubscription: change(({ sessionId }) => ({ first: [session(sessionId)] })),
  deletePushSubscription: change(none),
  settlePush: change(none),
  changeThread: change(inRoom),
  followThread: change(({ userId }) => ({ first: [actors([userId]), userLogs([userId])] })),
  readThread: change(({ userId }) => ({ first: [actors([userId]), userLogs([userId])] })),
  leaseConsumer: frequent(none),
  moveConsumer: frequent(none),
  notify: frequent(({ inbox, threads, notices }) => ({
    first: [
      actors([...inbox, ...threads, ...notices].map(({ userId }) => userId)),
      userLogs([...inbox, ...threads].map(({ userId }) => userId)),
    ],
  })),
  settleNotices: frequent(none),
  setSuspended: change(onPerson),
  setRole: change(({ userId }) => ({ first: [names(ADMINS), user(userId), userLogs([userId])] })),
  renameUser: change(({ userId }) => ({ first: [names(USER_NAMES), names(ADMINS), user(userId)] })),
  endSessions: change(onPerson),
  createReset: change(onPerson),
  // Its maker's role is decided on, too, which an admin may change.
  useReset: change(({ codeHash }) => ({ first: [names(ADMINS), userOfReset(codeHash)] })),
  createSignInLink: change(onPerson),
  useSignInLink: change(({ codeHash }) => ({ first: [names(ADMINS), userOfReset(signInKey(codeHash))] })),
  setRegistration: change(() => ({ first: [names(ADMINS)] })),
  setServerName: frequent(() => ({ first: [names(ADMINS)] })),
  setServerIcon: change(() => ({ first: [names(ADMINS), names(FILE_USAGE)] })),
  createServerInvite: change(() => ({ first: [names(ADMINS)] })),
  revokeServerInvite: change(() => ({ first: [names(ADMINS)] })),
  mute: change(({ roomId, userId }) => ({ roomId, first: [actors([userId])] })),
  ban: change(({ roomId, userId }) => ({ roomId, first: [actors([userId])] })),
  report: change(none),
  closeReport: change(none),
  removeUser: erasing(change(outOfRooms)),
  endRegistered: erasing(change(outOfRooms)),
  textsDeleted: change(none),
  pruneTexts: erasing(frequent(inRoom)),
  pruneFiles: erasing(frequent(inRoom)),
  pruneAudit: erasing(frequent(none)),
  // The limits are judged by what is counted. The first lock is what all who count wait for, so it is held shortly.
  createFile: frequent(({ ownerId }) => ({ first: [names(FILE_USAGE), actors([ownerId])] })),
  advanceFile: frequent(none),
  // The message that has it changes, too.
  settleFile: frequent(({ roomId }) => ({ ...(roomId !== null && { roomId }), first: [names(FILE_USAGE)] })),
  moveFile: frequent(none),
  deleteUpload: frequent(() => ({ first: [names(FILE_USAGE)] })),
  expireFiles: frequent(() => ({ first: [names(FILE_USAGE)] })),
  // Their names are content.
  forgetFiles: erasing(frequent(() => ({ first: [names(FILE_USAGE)] }))),
  addEmoji: frequent(({ actorId }) => ({ first: [names(FILE_USAGE), user(actorId)] })),
  deleteEmoji: frequent(({ actorId }) => ({ first: [names(FILE_USAGE), user(actorId)] })),
  queuePreviews: frequent(none),
  settlePreviews: frequent(({ roomId, previews }) => ({
    roomId,
    first: picturesIn(previews).length === 0 ? [] : [names(FILE_USAGE)],
  })),
  removePreviews: erasing(frequent(inRoom)),
  keepLinks: frequent(none),
  takeTurn: frequent(none),
  setTurn: frequent(none),
  touch: frequent(none),
  purgeSome: frequent(() => ({ first: [names(PURGE)] })),
  // Reports quote texts.
  purgeReports: erasing(
    frequent(() => ({ first: [names(PURGE)] })),
    whenTrue,
  ),
  purgeRooms: erasing(
    frequent(() => ({ first: [names(PURGE)] })),
    whenTrue,
  ),
};

/** A write that may change whether somebody may post in a room. */
function change<Args>(locks: (args: Args) => Locks): WriteTraits<Args, unknown> {
  return { locks, keepsAuthors: false, erases: () => false };
}

/** A frequent write, which never changes whether somebody may post in a room. */
function frequent<Args>(locks: (args: Args) => Locks): WriteTraits<Args, unknown> {
  return { locks, keepsAuthors: true, erases: () => false };
}

function erasing<Args>(
  traits: WriteTraits<Args, unknown>,
  erases: (result: unknown) => boolean = () => true,
): WriteTraits<Args, unknown> {
  return { ...traits, erases };
}

function whenTrue(result: unknown): boolean {
  return result === true;
}

/** Whether it has a use left is decided on. */
function invitation(codeHash: string): Sql {
  return sql`SELECT 1 FROM invites WHERE code_hash = ${codeHash} FOR NO KEY UPDATE`;
}

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
  return { first: [roomsOf(userId), names(ADMINS), names(FILE_USAGE), leaving(userId), roomsOf(userId)] };
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

/** It is not deleted meanwhile. */
function emojiNamed(name: string): Sql {
  return sql`SELECT 1 FROM emoji WHERE name = ${name} FOR KEY SHARE`;
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
