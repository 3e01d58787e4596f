/** A user's inbox, and how many of its entries are unread in a room. */
import { MAX_ID } from '../../../protocol/limits.ts';
import { verdictOn } from '../../rooms/standing.ts';
import type { AttentionReads, InboxRow, MessageRow, Standing } from '../store.ts';
import { findMessage } from './message-rows.ts';
import { type Sql, sql } from './sql.ts';
import { findStanding } from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';

/** A room's unread mentions are counted up to this number. */
const MENTIONS_MAX = 100;
/** Entries in one statement, and in one read: rooms that the user has lost may leave long gaps. */
const PAGE = 100;
const ENTRIES_VISITED = 5000;

type InboxEntry = InboxRow & { message: MessageRow; isRead: boolean };
type StoredEntry = Omit<InboxRow, 'removed'> & { removedAt: number | null };

/** Entries that `which` selects; it continues the statement after `FROM inbox`. */
export function* selectEntries(which: Sql): Steps<InboxRow[]> {
  const rows = yield* all<StoredEntry>(sql`
    SELECT room_id AS "roomId", message_id AS "messageId", seq, reason, created_at AS "createdAt",
      removed_at AS "removedAt", user_seq AS "userSeq"
    FROM inbox ${which}`);
  return rows.map(({ removedAt, ...row }) => ({ ...row, removed: removedAt !== null }));
}

/** Entries beyond the read mark of a room: reading anywhere clears them everywhere. */
export function* countMentions(userId: number, of: { roomId: number; readSeq: number }): Steps<number> {
  const found = yield* first<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM inbox
      WHERE user_id = ${userId} AND room_id = ${of.roomId} AND seq > ${of.readSeq} AND removed_at IS NULL
      LIMIT ${MENTIONS_MAX}) AS found`);
  return found?.count ?? 0;
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
        const isRead = entry.seq <= (standing?.member?.readSeq ?? 0);
        if (message && entries.length <= limit) entries.push({ ...entry, message, isRead });
      }
      from = found.at(-1)?.messageId ?? 0;
      if (found.length < PAGE) break;
    }
    return { entries: entries.slice(0, limit), hasMore: entries.length > limit };
  },
};

/** Null: the user may not read the room. */
function* readable(userId: number, roomId: number, now: number): Steps<Standing | null> {
  const standing = yield* findStanding({ roomId, userId });
  return standing && verdictOn('read', standing, now) === 'allowed' ? standing : null;
}
