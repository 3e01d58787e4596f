/** The inbox, threads that are followed, and notifications that are due. */
import type { NotifyDecision, NotifyReason } from '../../../../protocol/notifications.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import type { NotifyLevel, RoomKind, ThreadsLevel } from '../../../../protocol/rooms.ts';
import type { MessageRow } from '../../../rules/rows.ts';
import type { UserChange } from './user-change.ts';

/** What a decision about one user and one room depends on. */
export interface AudienceRow {
  userId: number;
  userRole: UserRole;
  username: string;
  displayName: string;
  /** JSON (protocol/rest/people.ts). */
  settings: string;
  timeZone: string | null;
  /** Null: never a member of the room. */
  member: {
    hasLeft: boolean;
    bannedUntil: number | null;
    notify: NotifyLevel | null;
    mutedUntil: number | null;
    threads: ThreadsLevel | null;
    readSeq: number;
  } | null;
  /** The authors whom this user has blocked, among those who were asked about. */
  blocked: number[];
}

export interface AudienceQuery {
  roomId: number;
  authorIds: readonly number[];
  /** At most 200; without it, the members after `afterUserId`, at most 200. */
  userIds?: readonly number[];
  afterUserId?: number;
}

/** The members of a room who may want to hear of plain texts, and of every thread. */
export interface EagerRow {
  kind: RoomKind;
  name: string;
  /** In a direct conversation, everybody. */
  userIds: number[];
  threadIds: number[];
}

export interface ThreadPersonRow {
  userId: number;
  /** By what they have done or asked for, and by the level of the room; null: by neither. */
  isFollowing: boolean | null;
  readSeq: number;
}

export interface InboxRow {
  roomId: number;
  messageId: number;
  /** The message is a reply in this thread; null: it is in the main flow. */
  threadId: number | null;
  seq: number;
  reason: NotifyReason;
  createdAt: number;
  removed: boolean;
  userSeq: number;
}

/** `isRead`: the user has read the thread up to there; of an entry in the main flow, the membership says it. */
export interface InboxLogRow extends InboxRow {
  isRead: boolean;
}

/** `inbox`: the row, if it is a new entry of the main flow. With it, a line need not read the user's log. */
export interface NotificationChange extends UserChange {
  inbox?: InboxLogRow;
}

export interface NotifyRow {
  userId: number;
  messageId: number;
  roomId: number;
  reason: NotifyReason;
  decision: NotifyDecision;
  detail: string | null;
  createdAt: number;
  /** It still waits to be pushed, until then. */
  dueAt: number | null;
}

/** What the notifier writes in one command: at most 100 rows. */
export interface NotificationStep {
  name: string;
  roomId: number;
  from: number;
  /** Null: there is more to write before the cursor moves. */
  to: number | null;
  now: number;
  inbox: readonly (Pick<InboxRow, 'messageId' | 'threadId' | 'seq' | 'reason'> & { userId: number })[];
  notices: readonly Omit<NotifyRow, 'roomId' | 'createdAt'>[];
  /** People who follow a thread from now on, unless they have said otherwise. */
  threads: readonly { userId: number; threadId: number; readSeq: number }[];
  /** Messages whose entries of these reasons go, or all of them, except those of these users. */
  withdrawn: readonly { messageId: number; reasons?: readonly NotifyReason[]; except?: readonly number[] }[];
}

export type NotificationOutcome =
  /** The cursor was not at `from`: nothing was written. */
  | { outcome: 'lost' }
  /** `fresh`: the notifications that were not there yet. `hasMore`: entries are still to be withdrawn. */
  | {
      outcome: 'written';
      changes: NotificationChange[];
      fresh: { userId: number; messageId: number }[];
      hasMore: boolean;
    };

export interface NotificationWrites {
  notify(step: NotificationStep): NotificationOutcome;
  /** What became of notifications that waited, at most 200. One that does not wait any more is left as it is. */
  settleNotices(
    settled: readonly Pick<NotifyRow, 'userId' | 'messageId' | 'decision' | 'detail' | 'dueAt'>[],
  ): void;
}

export interface NotificationReads {
  eagerMembers(of: { roomId: number }): EagerRow | undefined;
  /** By user id. */
  audience(of: AudienceQuery): AudienceRow[];
  /** How these people stand to the thread, at most 200 of them, and everybody who follows it, if wanted. */
  threadPeople(of: {
    roomId: number;
    threadId: number;
    userIds: readonly number[];
    withFollowers: boolean;
  }): ThreadPersonRow[];
  /** Notifications that wait, the earliest first. `exceptUserIds`: nothing of these users. */
  waitingNotices(of: { limit: number; exceptUserIds?: readonly number[] }): NotifyRow[];
  notice(of: { userId: number; messageId: number }): NotifyRow | undefined;
  /** The latest message first, without entries of rooms that the user may not see any more. `before`: a message. */
  inbox(of: { userId: number; before?: number | undefined; limit: number; now: number }): {
    entries: (InboxRow & { message: MessageRow; isRead: boolean })[];
    hasMore: boolean;
  };
}
