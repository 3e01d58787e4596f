/**
 * Announces what happens to every process that serves it. The database is the log and the bus is only a doorbell:
 * between processes an event may be lost, come twice or come late, and a listener that needs all events reads the
 * database. The events that one process publishes arrive in the order of publishing.
 *
 * `bus.contract.ts` holds every adapter to these promises.
 */
import type { NotifyReason } from '../../../protocol/notifications.ts';
import type { UserRole } from '../../../protocol/people.ts';
import type { InboxLogRow, MessageRow } from '../storage/store.ts';

/** A notification, as a user's sockets receive it. */
export interface NotifyNotice {
  roomId: number;
  messageId: number;
  reason: NotifyReason;
  title: string;
  /** Empty: the text is hidden. */
  body: string;
}

export type BusEvent =
  | { type: 'message'; roomId: number; message: MessageRow }
  /** The room's log has reached this number. Another process says so where this one does not get the rows. */
  | { type: 'head'; roomId: number; seq: number }
  | { type: 'typing'; roomId: number; userId: number; username: string; isTyping: boolean }
  | { type: 'session_revoked'; sessionId: number }
  /** The log of this user has a new row, with this number. Within the process it may bring more. */
  | ({ type: 'user_log'; userId: number; seq: number } & UserLogExtra)
  /** What others see of this user has changed. */
  | { type: 'profile'; userId: number; version: number }
  /** A message notifies this user. */
  | { type: 'notify'; userId: number; notice: NotifyNotice };

/** What an announcement brings of the row itself. */
export interface UserLogExtra {
  inbox?: InboxLogRow;
  /** The user has this role from this number on. */
  userRole?: UserRole;
  /** The user has left this room, without a notice in its log. */
  leftRoomId?: number;
}

export interface Bus {
  /**
   * The subscribers of this process receive the event before the call returns; others soon, or never. Of a room that a
   * process has not entered, it receives a `head` for each message, whole notices, and nothing else.
   */
  publish(event: BusEvent): void;
  /** Every event goes to every subscriber, this process's own events too. Returns a function that unsubscribes. */
  subscribe(listener: (event: BusEvent) => void): () => void;
  /**
   * Resolves once this process receives everything of the room, or at once while the bus is in doubt: then its end
   * says that something may have been missed. Never rejects. Every call needs one `leave`.
   */
  enter(roomId: number): Promise<void>;
  leave(roomId: number): void;
  /**
   * How long events of different processes may cross each other at present, in milliseconds: one that seems to be
   * missing is expected that long. Zero: there is one process.
   */
  readonly crossingMs: number;
  /** A listener received an event this long after it had missed it: `crossingMs` follows. */
  crossed(ms: number): void;
  /**
   * Whether events of other processes may be lost at this moment. A bus that has lost its connection is in doubt until
   * it receives everything again.
   */
  readonly isInDoubt: boolean;
  /**
   * Calls the listener when doubt begins and when it ends: events may have been missed. Returns a function that stops.
   */
  onDoubt(listener: () => void): () => void;
  /** Nothing is received or sent after this. */
  close(): Promise<void>;
}
