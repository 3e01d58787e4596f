/** Bookmarks: personal, with a note of the user's own. Other people never see them. */
import { MAX_ID, SAVED_MAX } from '../../../../protocol/limits.ts';
import type { MessageChangeReads, MessageChangeWrites, SavedRow } from '../store.ts';
import { findMessage } from './message-rows.ts';
import { sql } from './sql.ts';
import { mayRead } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

/** Bookmarks in one statement. */
const PAGE = 100;

interface Bookmark {
  roomId: number;
  messageId: number;
  note: string;
  savedAt: number;
  userSeq: number;
}

export const savedWrites: AsSteps<Pick<MessageChangeWrites, 'save'>> = {
  *save({ roomId, messageId, actorId: userId, now, on, note: wanted }) {
    if (!(yield* mayRead({ roomId, userId }, now))) return { outcome: 'room_not_found' };
    const message = yield* findMessage({ roomId, messageId });
    if (!message || message.notice !== null) return { outcome: 'message_not_found' };
    const before = yield* first<{ note: string; removedAt: number | null }>(sql`
      SELECT note, removed_at AS "removedAt" FROM saved WHERE user_id = ${userId} AND room_id = ${roomId} AND message_id = ${messageId}`);
    const isSaved = before?.removedAt === null;
    // A removed bookmark keeps its note until it is purged, so that the removal can be undone.
    const note = (on ? wanted : undefined) ?? before?.note ?? '';
    if (on ? isSaved && before.note === note : !isSaved) return { outcome: 'saved', change: undefined };
    if (on && !isSaved) {
      const saved = yield* first<{ count: number }>(
        sql`SELECT count(*) AS count FROM saved WHERE user_id = ${userId} AND removed_at IS NULL`,
      );
      if (saved && saved.count >= SAVED_MAX) return { outcome: 'too_many' };
    }
    const userSeq = yield* nextUserSeq(userId);
    yield* run(sql`
      INSERT INTO saved (user_id, room_id, message_id, note, saved_at, removed_at, user_seq)
      VALUES (${userId}, ${roomId}, ${messageId}, ${note}, ${now}, ${on ? null : now}, ${userSeq})
      ON CONFLICT (user_id, room_id, message_id) DO UPDATE SET note = excluded.note,
        removed_at = excluded.removed_at,
        saved_at = CASE WHEN saved.removed_at IS NULL THEN saved.saved_at ELSE excluded.saved_at END,
        user_seq = excluded.user_seq`);
    return { outcome: 'saved', change: { userId, userSeq } };
  },
};

export const savedReads: AsSteps<Pick<MessageChangeReads, 'saved'>> = {
  *saved({ userId, limit, before = MAX_ID, now }) {
    const readable = new Map<number, boolean>();
    const bookmarks: SavedRow[] = [];
    let from = before;
    // One more than requested shows whether there are more. Rooms that the user has lost may leave long gaps.
    for (let isOver = false; !isOver && bookmarks.length <= limit; ) {
      const found = yield* selectBookmarks(userId, from);
      for (const { roomId, messageId, ...bookmark } of found) {
        const isReadable = readable.get(roomId) ?? (yield* mayRead({ roomId, userId }, now));
        readable.set(roomId, isReadable);
        const message = isReadable && (yield* findMessage({ roomId, messageId }));
        if (message) bookmarks.push({ message, ...bookmark });
        if (bookmarks.length > limit) break;
      }
      isOver = found.length < PAGE;
      from = found.at(-1)?.userSeq ?? 0;
    }
    return { bookmarks: bookmarks.slice(0, limit), hasMore: bookmarks.length > limit };
  },
};

function* selectBookmarks(userId: number, before: number): Steps<Bookmark[]> {
  return yield* all<Bookmark>(sql`
    SELECT room_id AS "roomId", message_id AS "messageId", note, saved_at AS "savedAt", user_seq AS "userSeq"
    FROM saved WHERE user_id = ${userId} AND removed_at IS NULL AND user_seq < ${before}
    ORDER BY user_seq DESC LIMIT ${PAGE}`);
}
