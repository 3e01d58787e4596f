/** Bookmarks: personal, with a note of the user's own. Other people never see them. */
import { MAX_ID, SAVED_MAX } from '../../../protocol/limits.ts';
import { verdictOn } from '../../rooms/standing.ts';
import type { MessageChangeReads, MessageChangeWrites, SavedRow } from '../store.ts';
import { findMessage } from './message-rows.ts';
import { sql } from './sql.ts';
import { findStanding } from './standing.ts';
import { type AsSteps, all, first, run } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

interface Bookmark {
  roomId: number;
  messageId: number;
  note: string;
  savedAt: number;
  userSeq: number;
}

export const savedWrites: AsSteps<Pick<MessageChangeWrites, 'save'>> = {
  *save({ roomId, messageId, actorId: userId, now, on, note }) {
    const standing = yield* findStanding({ roomId, userId });
    if (!standing || verdictOn('read', standing, now) !== 'allowed') return { outcome: 'room_not_found' };
    const message = yield* findMessage({ roomId, messageId });
    if (!message) return { outcome: 'message_not_found' };
    const before = yield* first<{ note: string; removedAt: number | null }>(sql`
      SELECT note, removed_at AS "removedAt" FROM saved WHERE user_id = ${userId} AND room_id = ${roomId} AND message_id = ${messageId}`);
    const isSaved = before?.removedAt === null;
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
    // One more than requested shows whether there are more.
    const found = yield* all<Bookmark>(sql`
      SELECT room_id AS "roomId", message_id AS "messageId", note, saved_at AS "savedAt", user_seq AS "userSeq"
      FROM saved WHERE user_id = ${userId} AND removed_at IS NULL AND user_seq < ${before}
      ORDER BY user_seq DESC LIMIT ${limit + 1}`);
    const bookmarks: SavedRow[] = [];
    for (const { roomId, messageId, ...bookmark } of found.slice(0, limit)) {
      const standing = yield* findStanding({ roomId, userId });
      if (!standing || verdictOn('read', standing, now) !== 'allowed') continue;
      const message = yield* findMessage({ roomId, messageId });
      if (message) bookmarks.push({ message, ...bookmark });
    }
    return { bookmarks, hasMore: found.length > limit };
  },
};
