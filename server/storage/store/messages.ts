/** Messages. */

export interface NewMessage {
  roomId: number;
  userId: number;
  /** Unique per user and room, for ever; null: no protection from doubles. */
  cid: string | null;
  content: string;
  now: number;
}

export interface MessageRow {
  id: number;
  roomId: number;
  seq: number;
  userId: number;
  username: string;
  cid: string | null;
  content: string;
  createdAt: number;
}

export type AppendOutcome =
  /** Stored: the room's next seq, an id above all ids before it, a time not before the room's last one. */
  | { outcome: 'stored'; id: number; seq: number; createdAt: number }
  /** The same cid with the same content was stored before; these are the first one's. */
  | { outcome: 'duplicate'; id: number; seq: number; createdAt: number }
  | { outcome: 'cid_conflict' }
  | { outcome: 'room_not_found' }
  | { outcome: 'user_not_found' };

export interface HistoryQuery {
  roomId: number;
  limit: number;
  beforeId?: number | undefined;
  afterId?: number | undefined;
}

export interface MessagesAfterQuery {
  roomId: number;
  seq: number;
  limit: number;
  /** Of content, as UTF-8. */
  maxBytes?: number | undefined;
}

export interface MessageWrites {
  append(message: NewMessage): AppendOutcome;
}

export interface MessageReads {
  /**
   * Ascending; with `beforeId` the last ones before it, with `afterId` the first ones after it, else the last ones.
   * Undefined when there is no such room.
   */
  history(query: HistoryQuery): MessageRow[] | undefined;
  /**
   * The messages whose latest change is after `seq`, in the order of that change: at most `limit`, and at most as many
   * as have `maxBytes` together, but always the first.
   */
  messagesAfter(query: MessagesAfterQuery): MessageRow[];
}
