/**
 * A user's inbox, and how many of its entries are unread in a room. An entry is read in its own flow: with the room's
 * read mark, or with that of its thread.
 */
import { MAX_ID } from '../../../../protocol/limits.ts';
import { verdictOn } from '../../../rules/standing.ts';
import type { InboxLogRow, InboxRow, MessageRow, NotificationReads, Standing, UnreadRow } from '../store.ts';
import { findMessages } from './message-rows.ts';
import { list, type Sql, sql } from './sql.ts';
import { findStandings } from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

/** A room's unread mentions are counted up to this number. */
const MENTIONS_MAX = 100;
/** Entries in one statement, and in one read: rooms that the user has lost may leave long gaps. */
const PAGE = 100;
const ENTRIES_VISITED = 5000;
/** Entries in threads that a count visits, of all rooms. */
const THREAD_ENTRIES = 500;

type InboxEntry = InboxRow & { message: MessageRow; isRead: boolean };
/** `threadMark`: how far the user has read the thread of the message, or the one that it would be the root of. */
type MarkedEntry = InboxRow & { threadMark: number };
type StoredEntry = Omit<MarkedEntry, 'removed'> & { removedAt: number | null };

/** Entries that `which` selects; it continues the statement after `FROM inbox`. */
function* selectEntries(which: Sql): Steps<MarkedEntry[]> {
  const rows = yield* all<StoredEntry>(sql`
    SELECT room_id AS "roomId", message_id AS "messageId", thread_id AS "threadId", seq, reason, created_at AS "createdAt",
      removed_at AS "removedAt", user_seq AS "userSeq", coalesce((
        SELECT own.read_seq FROM thread_members AS own
        WHERE own.user_id = inbox.user_id AND own.room_id = inbox.room_id
          AND own.thread_id = coalesce(inbox.thread_id, inbox.message_id)
      ), 0) AS "threadMark"
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
  return rows.map(({ threadMark, ...entry }) => ({
    ...entry,
    isRead: entry.threadId !== null && entry.seq <= threadMark,
  }));
}

export const inboxReads: AsSteps<Pick<NotificationReads, 'inbox'>> = {
  *inbox({ userId, before = MAX_ID, limit, now }) {
    const rooms = new Map<number, Standing | null>();
    const entries: InboxEntry[] = [];
    let from = before;
    // One more than requested shows whether there are more.
    for (let visited = 0; entries.length <= limit && visited < ENTRIES_VISITED; visited += PAGE) {
      const found = yield* selectEntries(sql`
        WHERE user_id = ${userId} AND message_id < ${from} AND removed_at IS NULL ORDER BY message_id DESC LIMIT ${PAGE}`);
      yield* addReadable(rooms, userId, { found, now });
      const readable = found.filter(({ roomId }) => rooms.get(roomId) != null);
      const wanted = readable.slice(0, limit + 1 - entries.length);
      const messages = yield* findMessages(wanted);
      for (const { threadMark, ...entry } of wanted) {
        const message = messages.get(entry.messageId);
        if (!message) continue;
        const member = rooms.get(entry.roomId)?.member;
        // A user outside the room cannot move its read mark. The thread's mark then says what was read.
        const isInFlow = entry.threadId === null && member != null;
        const isInside = isInFlow && member.leftAt === null;
        const mark = isInside ? member.readSeq : Math.max(isInFlow ? member.readSeq : 0, threadMark);
        entries.push({ ...entry, message, isRead: entry.seq <= mark });
      }
      if (found.length < PAGE) break;
      from = found.at(-1)?.messageId ?? 0;
    }
    return { entries: entries.slice(0, limit), hasMore: entries.length > limit };
  },
};

/** Adds the rooms of these entries that are not known yet; null: the user may not read the room. */
function* addReadable(
  rooms: Map<number, Standing | null>,
  userId: number,
  { found, now }: { found: readonly InboxRow[]; now: number },
): Steps<void> {
  const roomIds = [...new Set(found.map(({ roomId }) => roomId))].filter((roomId) => !rooms.has(roomId));
  const standings = yield* findStandings(userId, roomIds);
  for (const roomId of roomIds) {
    const standing = standings.get(roomId);
    rooms.set(roomId, standing && verdictOn('read', standing, now) === 'allowed' ? standing : null);
  }
}
