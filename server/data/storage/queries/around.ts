/** The messages around a place of a room: a permalink, or a date. */
import { MAX_ID } from '../../../../protocol/limits.ts';
import type { AroundQuery, AroundRows } from '../store.ts';
import { IN_FLOW, selectMessages } from './message-rows.ts';
import { sql } from './sql.ts';
import { findReadableHead } from './standing.ts';
import { first, type Steps } from './steps.ts';

export function* around({ roomId, limit, place, reader }: AroundQuery): Steps<AroundRows | undefined | null> {
  const room = yield* findReadableHead({ roomId, reader });
  if (!room) return undefined;
  const found = 'id' in place ? yield* findPlace(roomId, place.id) : undefined;
  if ('id' in place && !found) return null;
  const at = 'time' in place ? yield* idAt({ roomId, head: room.seq, ...place }) : (found?.flowId ?? 0);
  // The ids of a room ascend as its numbers do, and the index of the main flow is by id.
  const before = yield* selectMessages(
    roomId,
    sql`${IN_FLOW} AND message.id < ${at} ORDER BY message.id DESC LIMIT ${limit}`,
  );
  const from = yield* selectMessages(
    roomId,
    sql`${IN_FLOW} AND message.id >= ${at} ORDER BY message.id LIMIT ${limit}`,
  );
  const thread = found?.threadId ? { thread: { id: found.id, threadId: found.threadId } } : {};
  return { before: before.reverse(), from, seq: room.seq, ...thread };
}

interface FoundPlace {
  id: number;
  /** Its own id, or that of the root of its thread. */
  flowId: number;
  threadId: number | null;
}

function* findPlace(roomId: number, id: number): Steps<FoundPlace | undefined> {
  return yield* first<FoundPlace>(sql`
    SELECT id, coalesce(thread_id, id) AS "flowId", thread_id AS "threadId"
    FROM messages WHERE room_id = ${roomId} AND id = ${id}`);
}

/**
 * The id from which on all messages are of this time or later, beyond all ids where there is none. Times ascend in a
 * room, so it is found by bisection of its numbers, one row of the index for each step; a number without a message
 * counts with the next one. `last`: the highest number whose message is found to be earlier.
 */
function* idAt({ roomId, head, time }: { roomId: number; head: number; time: number }): Steps<number> {
  const found = yield* first<{ id: number | null }>(sql`
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
    SELECT (
      SELECT message.id FROM messages AS message
      WHERE message.room_id = ${roomId} AND message.seq > last ORDER BY message.seq LIMIT 1
    ) AS id
    FROM search WHERE step = 0`);
  return found?.id ?? MAX_ID;
}
