/**
 * Cursors of the consumers of the rooms' logs, and the leases that say which process runs them. The tables have an earlier
 * name of consumers: followers.
 */
import type { BehindRow, ConsumerReads, ConsumerWrites, RoomNews } from '../store.ts';
import { NOTICE, selectMessages } from './message-rows.ts';
import { sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

/** The consumer that keeps the index of the search: its name in `followers` and `follower_leases`. */
export const INDEXER = 'search';
const MOVES_MAX = 200;
/** One page of a room's news visits at most this number of its events. */
const NEWS_VISITS = 1000;

export const consumerWrites: AsSteps<ConsumerWrites> = {
  *leaseConsumer({ name, holder, now, until, isAlone }) {
    const begun = yield* first(sql`
      INSERT INTO follower_leases (name, holder, held_until) VALUES (${name}, ${holder}, ${until})
      ON CONFLICT (name) DO NOTHING RETURNING name`);
    if (begun) {
      yield* run(sql`
        INSERT INTO followers (name, room_id, seq, changed_seq) SELECT ${name}, id, seq, seq FROM rooms WHERE true
        ON CONFLICT (name, room_id) DO NOTHING`);
      return true;
    }
    const free = isAlone ? sql`true` : sql`(holder = ${holder} OR held_until <= ${now})`;
    const taken = yield* first(sql`
      UPDATE follower_leases SET holder = ${holder}, held_until = ${until} WHERE name = ${name} AND ${free}
      RETURNING name`);
    return taken !== undefined;
  },

  *moveConsumer({ name, moves }) {
    const lost: number[] = [];
    for (const move of moves.slice(0, MOVES_MAX).toSorted((one, other) => one.roomId - other.roomId))
      if (!(yield* moveCursor(name, move))) lost.push(move.roomId);
    return lost;
  },
};

export const consumerReads: AsSteps<ConsumerReads> = {
  *consumerBehind({ name, after, limit }) {
    const rooms = yield* all<BehindRow>(sql`
      SELECT room.id AS "roomId", coalesce(cursor.seq, 0) AS at, room.seq AS head
      FROM (SELECT id, seq FROM rooms WHERE id > ${after} ORDER BY id LIMIT ${limit}) AS room
        LEFT JOIN followers AS cursor ON cursor.name = ${name} AND cursor.room_id = room.id
      ORDER BY room.id`);
    return {
      rooms: rooms.filter(({ at, head }) => head > at),
      next: rooms.length < limit ? null : (rooms.at(-1)?.roomId ?? null),
    };
  },

  *consumerPlace({ name, roomId }) {
    return yield* first<BehindRow>(sql`
      SELECT room.id AS "roomId", coalesce(cursor.seq, 0) AS at, room.seq AS head
      FROM rooms AS room LEFT JOIN followers AS cursor ON cursor.name = ${name} AND cursor.room_id = room.id
      WHERE room.id = ${roomId}`);
  },

  *roomNews({ roomId, after, limit, withPlain }): Steps<RoomNews | undefined> {
    const room = yield* first<{ head: number }>(sql`SELECT seq AS head FROM rooms WHERE id = ${roomId}`);
    if (!room) return undefined;
    const { head } = room;
    const end = Math.min(head, after + NEWS_VISITS);
    const kinds = withPlain
      ? sql`true`
      : sql`(message.extra IS NOT NULL OR message.thread_id IS NOT NULL OR message.kind = ${NOTICE}
          OR message.changed_seq > message.seq)`;
    const texts = yield* selectMessages(
      roomId,
      sql`AND message.seq > ${after} AND message.seq <= ${end} AND ${kinds} ORDER BY message.seq LIMIT ${limit}`,
    );
    const upTo = texts.length < limit ? end : (texts.at(-1)?.seq ?? end);
    // A text that was posted after `after` is among the new ones, whatever has happened to it since.
    const changes = yield* selectMessages(
      roomId,
      sql`AND message.changed_seq > ${after} AND message.changed_seq <= ${upTo} AND message.seq <= ${after}
        ORDER BY message.changed_seq`,
    );
    return { upTo, head, texts, changes };
  },
};

/** Compare and set: false, and nothing has changed, when the cursor was not where the consumer takes it to be. */
export function* moveCursor(
  name: string,
  { roomId, from, to }: { roomId: number; from: number; to: number },
): Steps<boolean> {
  const moved = yield* first(
    from === 0
      ? sql`
        INSERT INTO followers (name, room_id, seq, changed_seq) VALUES (${name}, ${roomId}, ${to}, ${to})
        ON CONFLICT (name, room_id) DO UPDATE SET seq = excluded.seq, changed_seq = excluded.changed_seq
        WHERE followers.seq = 0 RETURNING room_id`
      : sql`
        UPDATE followers SET seq = ${to}, changed_seq = ${to}
        WHERE name = ${name} AND room_id = ${roomId} AND seq = ${from} RETURNING room_id`,
  );
  return moved !== undefined;
}
