/** Reading messages. Writing them is each adapter's own: it is the hot path. */
import type { HistoryQuery, MessageReads, MessageRow, MessagesAfterQuery } from '../store.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

/** `messages.kind`. */
export const TEXT = 0;
export const NOTICE = 1;

/** A room's messages; `which` says which of them, in what order and how many. */
function selectMessages(roomId: number, which: Sql): Sql {
  return sql`
    SELECT message.id, message.room_id AS "roomId", message.seq, message.user_id AS "userId", author.username,
      message.cid, message.content, message.created_at AS "createdAt", message.changed_seq AS "changedSeq",
      CASE WHEN message.kind = ${NOTICE} THEN message.extra END AS notice
    FROM messages AS message JOIN users AS author ON author.id = message.user_id
    WHERE message.room_id = ${roomId} ${which}`;
}

export const messageReads: AsSteps<MessageReads> = {
  *history(query) {
    const room = yield* first<{ seq: number }>(sql`SELECT seq FROM rooms WHERE id = ${query.roomId}`);
    return room && { rows: yield* historyRows(query), seq: room.seq };
  },

  *messagesAfter(query) {
    const { roomId, seq, maxBytes } = query;
    const limit = maxBytes === undefined ? query.limit : yield* countWithin({ ...query, maxBytes });
    const changed = sql`AND message.changed_seq > ${seq} ORDER BY message.changed_seq LIMIT ${limit}`;
    return yield* all(selectMessages(roomId, changed));
  },
};

/** One page of a room, ascending. */
function* historyRows({ roomId, limit, beforeId, afterId, withNotices }: HistoryQuery): Steps<MessageRow[]> {
  const kinds = withNotices ? sql`` : sql`AND message.kind = ${TEXT}`;
  if (afterId !== undefined) {
    const newer = sql`${kinds} AND message.id > ${afterId} ORDER BY message.id LIMIT ${limit}`;
    return yield* all(selectMessages(roomId, newer));
  }
  const older = beforeId === undefined ? sql`` : sql`AND message.id < ${beforeId}`;
  const last = sql`${kinds} ${older} ORDER BY message.id DESC LIMIT ${limit}`;
  const rows = yield* all<MessageRow>(selectMessages(roomId, last));
  return rows.reverse();
}

/** How many messages from there on are within the limits. Their texts, which may be megabytes, are not read. */
function* countWithin(query: MessagesAfterQuery & { maxBytes: number }): Steps<number> {
  const sizes = yield* all<{ bytes: number }>(sql`
    SELECT octet_length(content) + coalesce(octet_length(extra), 0) AS bytes FROM messages
    WHERE room_id = ${query.roomId} AND changed_seq > ${query.seq} ORDER BY changed_seq LIMIT ${query.limit}`);
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }) => {
    sum += bytes;
    return sum > query.maxBytes;
  });
  return tooMany < 0 ? sizes.length : Math.max(1, tooMany);
}
