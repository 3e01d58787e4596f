/**
 * Membership: the members of a room with their roles, read marks and notification settings. `may`
 * (server/rules/room-access.ts) decides about a change of a room or of its members within the transaction of the write.
 */
import type { UserRole } from '../../../../protocol/people.ts';
import type { NotifyLevel, RoomRole, ThreadsLevel } from '../../../../protocol/rooms.ts';
import type { MembershipRow, RoomRow, Standing } from '../../../rules/rows.ts';
import type { InboxLogRow } from './notifications.ts';
import type { RoomChange } from './room-changes.ts';
import type { UserChange } from './user-change.ts';

export interface MemberRow {
  userId: number;
  username: string;
  displayName: string;
  role: RoomRole;
  joinedAt: number;
}

export interface MembersQuery {
  roomId: number;
  limit: number;
  afterId?: number | undefined;
  /** How a word of the username or of the display name begins, as a key. */
  start?: string | undefined;
  /** Where searches have to wait, those of different viewers take turns. */
  viewerId?: number | undefined;
}

export interface PrefsChange {
  roomId: number;
  userId: number;
  notify?: NotifyLevel | null | undefined;
  notifyMutedUntil?: number | null | undefined;
  threads?: ThreadsLevel | null | undefined;
  starred?: boolean | undefined;
  /** Direct conversations only. */
  hidden?: boolean | undefined;
}

export interface ReadMarkChange {
  userId: number;
  roomId: number;
  seq: number;
  /** The `readSet` that the mark was made from. */
  known: number;
  /** Sets the mark on purpose, also lower. */
  unread: boolean;
}

/** The latest text of a room's main flow. `start`: its first characters, at most 1000. */
export interface LastTextRow {
  seq: number;
  userId: number;
  username: string;
  start: string;
  /** How many files it has. */
  files: number;
  createdAt: number;
}

/**
 * A room as its member's list shows it, all in one snapshot. `people`: the others of a direct conversation, at most 9.
 * `count`: null where it was not asked for.
 */
export interface EntryRow {
  room: RoomRow;
  member: MembershipRow;
  last: LastTextRow | null;
  count: UnreadRow | null;
  people: { userId: number; username: string; displayName: string }[];
}

export interface UnreadRow {
  roomId: number;
  /** Texts of others after the read mark: 0 to 100. */
  unread: number;
  /** Entries of the inbox in the main flow, after the read mark: 0 to 100. */
  mentions: number;
  /** Entries in threads, after the mark of each thread: 100 at most, of the user's 500 latest in threads. */
  threadMentions: { threadId: number; seq: number }[];
  /** There are at least this many. */
  isInexact: boolean;
}

/** How a membership ended. */
export type LeftBy = 'left' | 'removed' | 'deleted';

/** A membership in a user's log; `leftBy`: how it ended; null: it has not. */
export interface LoggedMembershipRow extends MembershipRow {
  leftBy: LeftBy | null;
}

/** What changed in a user's log after a number. */
export interface UserLogRows {
  /** The log's head. */
  seq: number;
  /** Rows at and below this number may have been purged: below it, everything must be read again. */
  floor: number;
  /** There are no changes up to this number but these. */
  upTo: number;
  /** The user's role on the server, which decides with the memberships what the user may read. */
  role: UserRole;
  /** Memberships, of rooms left too, in the order of their change; so are the others. */
  members: LoggedMembershipRow[];
  inbox: InboxLogRow[];
  threads: ThreadMarkRow[];
  saved: SavedMarkRow[];
}

/** What a user has said about a thread, or what follows from what they wrote there. */
export interface ThreadMarkRow {
  roomId: number;
  threadId: number;
  isFollowing: boolean;
  readSeq: number;
  userSeq: number;
}

/** A bookmark, or one that was taken back. */
export interface SavedMarkRow {
  roomId: number;
  messageId: number;
  note: string;
  removed: boolean;
  userSeq: number;
}

export interface MemberWrites {
  /** Joins a room. `isSilent`: by posting, without a notice. */
  joinRoom(join: { roomId: number; userId: number; now: number; isSilent?: boolean }): RoomChange;
  leaveRoom(leave: { roomId: number; userId: number; now: number }): RoomChange;
  /** Adds a member, or changes a member's role. */
  setMember(set: {
    roomId: number;
    actorId: number;
    userId: number;
    role?: RoomRole | undefined;
    now: number;
  }): RoomChange;
  removeMember(remove: { roomId: number; actorId: number; userId: number; now: number }): RoomChange;
  /** Joins the rooms that every new user joins. */
  joinDefaultRooms(join: { userId: number; now: number }): UserChange[];
  /** Personal; undefined when the user is not a member. */
  setPrefs(prefs: PrefsChange): { member: MembershipRow } | undefined;
  /**
   * Personal, at most 200 marks, in order; the memberships that changed. A mark that does not rise is left out, and so
   * is one whose `known` is older than `readSet`. A mark that is set with `unread` always changes the membership: its
   * `readSet` becomes the number of this change in the user's log.
   */
  markRead(marks: readonly ReadMarkChange[]): MembershipRow[];
}

export interface MemberReads {
  /** Undefined when there is no such live user. */
  standing(of: { roomId: number; userId: number }): Standing | undefined;
  /** By id. With `start`, may see several snapshots. */
  members(query: MembersQuery): MemberRow[];
  /**
   * The rooms of a user. With `roomIds`, of those; else all, of the direct conversations only the `maxDms` latest that
   * are not hidden. The `counted` latest are counted, 50 at most.
   */
  entries(of: {
    userId: number;
    roomIds?: readonly number[] | undefined;
    maxDms: number;
    counted?: number;
  }): EntryRow[];
  /** At most `limit` rows of each kind. */
  userLog(of: { userId: number; after: number; limit: number }): UserLogRows;
  /** Counts unread texts: stops at 100 found or 1000 visited. At most 50 rooms. */
  unread(of: { userId: number; roomIds: readonly number[] }): UnreadRow[];
  /** Whether the users have a room in common: a guest sees only such people. */
  shareRoom(of: { userId: number; otherId: number }): boolean;
  /** Whether the other person of this direct conversation has blocked the user. */
  isBlockedIn(of: { roomId: number; userId: number }): boolean;
}
