/** The messages around a place of a room: a permalink, or a date. */
import type { AroundQuery, AroundRows } from '../store.ts';
import { selectMessages } from './message-rows.ts';
import { sql } from './sql.ts';
import { findReadableHead } from './standing.ts';
import { first, type Steps } from './steps.ts';

export function* around({ roomId, limit, place, reader }: AroundQuery): Steps<AroundRows | undefined | null> {
  const room = yield* findReadableHead({ roomId, reader });
  if (!room) return undefined;
  const { seq: head } = room;
  const found = 'id' in place ? yield* findPlace(roomId, place.id) : undefined;
  if ('id' in place && !found) return null;
  const at = 'time' in place ? yield* seqAt({ roomId, head, ...place }) : (found?.seq ?? 0);
  const older = sql`AND message.thread_id IS NULL AND message.seq < ${at} ORDER BY message.seq DESC LIMIT ${limit}`;
  const before = yield* selectMessages(roomId, older);
  const newer = sql`AND message.thread_id IS NULL AND message.seq >= ${at} ORDER BY message.seq LIMIT ${limit}`;
  const from = yield* selectMessages(roomId, newer);
  const thread = found?.threadId ? { thread: { id: found.id, threadId: found.threadId } } : {};
  return { before: before.reverse(), from, seq: head, ...thread };
}

interface FoundPlace {
  id: number;
  /** Of the message, or of the root of its thread. */
  seq: number;
  threadId: number | null;
}

function* findPlace(roomId: number, id: number): Steps<FoundPlace | undefined> {
  return yield* first<FoundPlace>(sql`
    SELECT message.id, coalesce(root.seq, message.seq) AS seq, message.thread_id AS "threadId"
    FROM messages AS message
      LEFT JOIN messages AS root ON root.room_id = message.room_id AND root.id = message.thread_id
    WHERE message.room_id = ${roomId} AND message.id = ${id}`);
}

/**
 * The seq from which on all messages are of this time or later. Times ascend in a room, so it is found by bisection, one
 * row of the index for each step; a number without a message counts with the next one. `last`: the highest number whose
 * message is found to be earlier.
 */
function* seqAt({ roomId, head, time }: { roomId: number; head: number; time: number }): Steps<number> {
  const found = yield* first<{ last: number }>(sql`
    WITH RECURSIVE search(last, step) AS (
      SELECT CAST(0 AS BIGINT), CAST(${2 ** Math.floor(Math.log2(Math.max(head, 1)))} AS BIGINT)
      UNION ALL
      SELECT
        last + CASE WHEN (
          SELECT message.created_at FROM messages AS message
          WHERE message.room_id = ${roomId} AND message.seq >= last + step ORDER BY message.seq LIMIT 1
        ) < ${time} THEN step ELSE 0 END,
        step / 2
      FROM search WHERE step > 0
    )
    SELECT last FROM search WHERE step = 0`);
  return (found?.last ?? 0) + 1;
}
