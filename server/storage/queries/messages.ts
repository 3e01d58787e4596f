/** Reading messages. Writing them is each adapter's own: it is the hot path. */
import type { HistoryQuery, MessageRow } from '../store.ts';
import { type Sql, sql } from './sql.ts';
import { all, type Steps } from './steps.ts';

/** A room's messages; `which` says which of them, in what order and how many. */
function selectMessages(roomId: number, which: Sql): Sql {
  return sql`
    SELECT message.id, message.room_id AS "roomId", message.seq, message.user_id AS "userId", author.username,
      message.cid, message.content, message.created_at AS "createdAt"
    FROM messages AS message JOIN users AS author ON author.id = message.user_id
    WHERE message.room_id = ${roomId} ${which}`;
}

export function* history({ roomId, limit, beforeId, afterId }: HistoryQuery): Steps<MessageRow[]> {
  if (afterId !== undefined) {
    const newer = sql`AND message.id > ${afterId} ORDER BY message.id LIMIT ${limit}`;
    return yield* all(selectMessages(roomId, newer));
  }
  const older = beforeId === undefined ? sql`` : sql`AND message.id < ${beforeId}`;
  const last = sql`${older} ORDER BY message.id DESC LIMIT ${limit}`;
  const rows = yield* all<MessageRow>(selectMessages(roomId, last));
  return rows.reverse();
}

export function* messagesAfter({
  roomId,
  seq,
  limit,
}: {
  roomId: number;
  seq: number;
  limit: number;
}): Steps<MessageRow[]> {
  const changed = sql`AND message.changed_seq > ${seq} ORDER BY message.changed_seq LIMIT ${limit}`;
  return yield* all(selectMessages(roomId, changed));
}
