/** Reading messages. Writing them is each adapter's own: it is the hot path. */
import type { HistoryQuery, MessageReads, MessageRow, MessagesAfterQuery } from '../store.ts';
import { around } from './around.ts';
import { findMessage, IN_FLOW, selectMessages, TEXT } from './message-rows.ts';
import { list, sql } from './sql.ts';
import { findReadableHead } from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

const BY_ID_MAX = 200;

export const messageReads: AsSteps<MessageReads> = {
  *history(query) {
    const room = yield* findReadableHead(query);
    return room && { rows: yield* historyRows(query), seq: room.seq, hasBeyond: yield* hasBeyond(query) };
  },

  around,

  *messagesAfter(query) {
    const { roomId, seq, maxBytes } = query;
    const limit = maxBytes === undefined ? query.limit : yield* countWithin({ ...query, maxBytes });
    const changed = sql`AND message.changed_seq > ${seq} ORDER BY message.changed_seq LIMIT ${limit}`;
    return yield* selectMessages(roomId, changed);
  },

  message: findMessage,

  *messagesById({ roomId, ids }) {
    if (ids.length === 0) return [];
    return yield* selectMessages(
      roomId,
      sql`AND message.id IN (${list(ids.slice(0, BY_ID_MAX))}) ORDER BY message.id`,
    );
  },
};

/** One page of a room, ascending. */
function* historyRows({ roomId, limit, beforeId, afterId, withNotices }: HistoryQuery): Steps<MessageRow[]> {
  const kinds = withNotices ? IN_FLOW : sql`AND message.kind = ${TEXT}`;
  if (afterId !== undefined) {
    const newer = sql`${kinds} AND message.id > ${afterId} ORDER BY message.id LIMIT ${limit}`;
    return yield* selectMessages(roomId, newer);
  }
  const older = beforeId === undefined ? sql`` : sql`AND message.id < ${beforeId}`;
  const last = sql`${kinds} ${older} ORDER BY message.id DESC LIMIT ${limit}`;
  const rows = yield* selectMessages(roomId, last);
  return rows.reverse();
}

function* hasBeyond({ roomId, beforeId, afterId, withNotices }: HistoryQuery): Steps<boolean> {
  if (!withNotices || (beforeId ?? afterId) === undefined) return false;
  const side = afterId === undefined ? sql`id >= ${beforeId ?? 0}` : sql`id <= ${afterId}`;
  const found = yield* first(
    sql`SELECT id FROM messages WHERE room_id = ${roomId} AND ${side} AND thread_id IS NULL LIMIT 1`,
  );
  return found !== undefined;
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
