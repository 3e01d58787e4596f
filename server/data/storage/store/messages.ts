/** Messages: texts and notices. */
import type { MessageDraft } from '../../../rules/message-draft.ts';
import type { MessageRow } from '../../../rules/rows.ts';
import type { Reader } from './reader.ts';
import type { UserChange } from './user-change.ts';

export interface NewMessage extends Pick<MessageDraft, 'content' | 'cid'> {
  roomId: number;
  userId: number;
  now: number;
}

/** A stored message's numbers. `number`: how many texts the room's main flow has had, this one included. */
export interface Place {
  id: number;
  seq: number;
  number: number;
  createdAt: number;
}

export type AppendOutcome =
  /**
   * Stored: the room's next seq, an id above all ids before it, a time not before the room's last one. `isMember`:
   * whether the author is a member of the room. `shown`: the members who had hidden this direct conversation, and have
   * it back on their lists; absent: none.
   */
  | ({ outcome: 'stored'; isMember: boolean; shown?: UserChange[] } & Place)
  /** The same cid with the same content was stored before; these are the first one's. */
  | ({ outcome: 'duplicate' } & Place)
  | { outcome: 'cid_conflict' }
  /** There is no such room, or the author may not see it. */
  | { outcome: 'room_not_found' }
  /** The author sees the room and may not post there: it is archived, or they are banned or silenced. */
  | { outcome: 'not_allowed' }
  /** A direct conversation with somebody who has blocked the author. */
  | { outcome: 'not_delivered' }
  | { outcome: 'user_not_found' };

export interface HistoryQuery {
  roomId: number;
  limit: number;
  beforeId?: number | undefined;
  afterId?: number | undefined;
  /** Also the notices, and not the replies of threads. */
  withNotices?: boolean | undefined;
  reader?: Reader | undefined;
}

/** A page of a room's messages, and the room's head in the same snapshot. */
export interface HistoryRows {
  rows: MessageRow[];
  seq: number;
  /** Only with the notices: whether there is a message at the cursor, or beyond it as seen from the page. */
  hasBeyond: boolean;
}

/** A message, or a time in Unix milliseconds. */
export type AroundPlace = { id: number } | { time: number };

export interface AroundQuery {
  roomId: number;
  /** Messages on each side. */
  limit: number;
  place: AroundPlace;
  reader?: Reader | undefined;
}

/** The messages on both sides of a place, ascending, and the room's head in the same snapshot. */
export interface AroundRows {
  before: MessageRow[];
  /** From the place on. */
  from: MessageRow[];
  seq: number;
  /** The place is a reply in this thread; the rows are around its root. */
  thread?: { id: number; threadId: number } | undefined;
}

export interface MessagesAfterQuery {
  roomId: number;
  seq: number;
  limit: number;
  /** A bound for content and notices, as UTF-8. */
  maxBytes?: number | undefined;
}

export interface MessageWrites {
  /** A plain text. */
  append(message: NewMessage): AppendOutcome;
}

export interface MessageReads {
  /**
   * Ascending; with `beforeId` the last ones before it, with `afterId` the first ones after it, else the last ones.
   * Undefined when there is no such room, or it is hidden from the reader.
   */
  history(query: HistoryQuery): HistoryRows | undefined;
  /**
   * Texts and notices of the main flow around a message of the room, or around a time: `from` begins with that message,
   * or with the first one of that time or later. Undefined when there is no such room, or it is hidden from the reader;
   * null when there is no such message in it.
   */
  around(query: AroundQuery): AroundRows | undefined | null;
  /**
   * The messages whose latest change is after `seq`, in the order of that change: at most `limit`, and at most as many
   * as have `maxBytes` together, but always the first.
   */
  messagesAfter(query: MessagesAfterQuery): MessageRow[];
  /** A text or a notice of this room. */
  message(of: { roomId: number; messageId: number }): MessageRow | undefined;
  /** Messages by id, of the first 200 ids; those of other rooms are left out. */
  messagesById(of: { roomId: number; ids: readonly number[] }): MessageRow[];
}
