/**
 * A user's inbox, and how many of its entries are unread in a room. An entry is read in its own flow: with the room's read
 * mark, or with that of its thread.
 */
import { MAX_ID } from '../../../protocol/limits.ts';
import { verdictOn } from '../../rooms/standing.ts';
import type { AttentionReads, InboxLogRow, InboxRow, MessageRow, Standing, UnreadRow } from '../store.ts';
import { findMessage } from './message-rows.ts';
import { list, type Sql, sql } from './sql.ts';
import { findStanding } from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

/** A room's unread mentions are counted up to this number. */
const MENTIONS_MAX = 100;
/** Entries in one statement, and in one read: rooms that the user has lost may leave long gaps. */
const PAGE = 100;
const ENTRIES_VISITED = 5000;
/** Entries in threads that a count visits, of all rooms. */
const THREAD_ENTRIES = 500;

type InboxEntry = InboxRow & { message: MessageRow; isRead: boolean };
type StoredEntry = Omit<InboxRow, 'removed'> & { removedAt: number | null };

/** Entries that `which` selects; it continues the statement after `FROM inbox`. */
function* selectEntries(which: Sql): Steps<InboxRow[]> {
  const rows = yield* all<StoredEntry>(sql`
    SELECT room_id AS "roomId", message_id AS "messageId", thread_id AS "threadId", seq, reason, created_at AS "createdAt",
      removed_at AS "removedAt", user_seq AS "userSeq"
    FROM inbox ${which}`);
  return rows.map(({ removedAt, ...row }) => ({ ...row, removed: removedAt !== null }));
}

/** Entries of a room's main flow beyond its read mark: reading anywhere clears them everywhere. */
export function* countMentions(userId: number, of: { roomId: number; readSeq: number }): Steps<number> {
  const found = yield* first<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM inbox
      WHERE user_id = ${userId} AND room_id = ${of.roomId} AND seq > ${of.readSeq} AND removed_at IS NULL
        AND thread_id IS NULL
      LIMIT ${MENTIONS_MAX}) AS found`);
  return found?.count ?? 0;
}

/** Entries in threads beyond their marks, by room. Only the user's latest entries in threads are visited. */
export function* findThreadMentions(
  userId: number,
  roomIds: readonly number[],
): Steps<ReadonlyMap<number, UnreadRow['threadMentions']>> {
  const rows = yield* all<{ roomId: number; threadId: number; seq: number }>(sql`
    SELECT entry.room_id AS "roomId", entry.thread_id AS "threadId", entry.seq
    FROM (
      SELECT room_id, thread_id, seq, removed_at FROM inbox
      WHERE user_id = ${userId} AND thread_id IS NOT NULL ORDER BY message_id DESC LIMIT ${THREAD_ENTRIES}) AS entry
      LEFT JOIN thread_members AS own ON own.user_id = ${userId} AND own.room_id = entry.room_id
        AND own.thread_id = entry.thread_id
    WHERE entry.removed_at IS NULL AND entry.room_id IN (${list(roomIds)}) AND entry.seq > coalesce(own.read_seq, 0)
    ORDER BY entry.seq`);
  const byRoom = new Map<number, UnreadRow['threadMentions']>();
  for (const { roomId, ...entry } of rows) {
    const found = byRoom.get(roomId) ?? [];
    if (found.length < MENTIONS_MAX) byRoom.set(roomId, [...found, entry]);
  }
  return byRoom;
}

/** Entries in the order of the user's log, at most `limit` after this number. */
export function* selectLogged(of: { userId: number; after: number; limit: number }): Steps<InboxLogRow[]> {
  const { userId, after, limit } = of;
  const rows = yield* selectEntries(
    sql`WHERE user_id = ${userId} AND user_seq > ${after} ORDER BY user_seq LIMIT ${limit}`,
  );
  const entries: InboxLogRow[] = [];
  for (const entry of rows) {
    const { threadId, seq } = entry;
    const isRead = threadId !== null && seq <= (yield* threadMark({ userId, ...entry }, threadId));
    entries.push({ ...entry, isRead });
  }
  return entries;
}

export const inboxReads: AsSteps<Pick<AttentionReads, 'inbox'>> = {
  *inbox({ userId, before = MAX_ID, limit, now }) {
    const rooms = new Map<number, Standing | null>();
    const entries: InboxEntry[] = [];
    let from = before;
    // One more than requested shows whether there are more.
    for (let visited = 0; entries.length <= limit && visited < ENTRIES_VISITED; visited += PAGE) {
      const found = yield* selectEntries(sql`
        WHERE user_id = ${userId} AND message_id < ${from} AND removed_at IS NULL ORDER BY message_id DESC LIMIT ${PAGE}`);
      for (const entry of found) {
        const standing = rooms.get(entry.roomId) ?? (yield* readable(userId, entry.roomId, now));
        rooms.set(entry.roomId, standing);
        const message = standing && (yield* findMessage(entry));
        if (!message || entries.length > limit) continue;
        const readSeq = standing.member?.readSeq ?? 0;
        const mark =
          entry.threadId === null ? readSeq : yield* threadMark({ userId, ...entry }, entry.threadId);
        entries.push({ ...entry, message, isRead: entry.seq <= mark });
      }
      from = found.at(-1)?.messageId ?? 0;
      if (found.length < PAGE) break;
    }
    return { entries: entries.slice(0, limit), hasMore: entries.length > limit };
  },
};

function* threadMark(of: { userId: number; roomId: number }, threadId: number): Steps<number> {
  const own = yield* first<{ readSeq: number }>(sql`
    SELECT read_seq AS "readSeq" FROM thread_members
    WHERE user_id = ${of.userId} AND room_id = ${of.roomId} AND thread_id = ${threadId}`);
  return own?.readSeq ?? 0;
}

/** Null: the user may not read the room. */
function* readable(userId: number, roomId: number, now: number): Steps<Standing | null> {
  const standing = yield* findStanding({ roomId, userId });
  return standing && verdictOn('read', standing, now) === 'allowed' ? standing : null;
}
