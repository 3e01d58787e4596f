/** The rows of messages, as every read of them selects them. */
import type { MessageRow, TextFacts } from '../store.ts';
import { type Sql, sql } from './sql.ts';
import { all, type Steps } from './steps.ts';

/** `messages.kind`. */
export const TEXT = 0;
export const NOTICE = 1;

/** As stored: what a plain text does not have is in columns of its own. */
interface StoredMessage
  extends Omit<MessageRow, 'notice' | 'facts' | 'reaction' | 'threadChanged'>,
    TextFacts {
  kind: number;
}

/** A room's messages; `which` says which of them, in what order and how many. */
export function* selectMessages(roomId: number, which: Sql): Steps<MessageRow[]> {
  const stored = yield* all<StoredMessage>(sql`
    SELECT message.id, message.room_id AS "roomId", message.seq, message.user_id AS "userId", author.username,
      message.cid, message.content, message.created_at AS "createdAt", message.changed_seq AS "changedSeq",
      message.kind, message.extra, message.revision, message.edited_at AS "editedAt",
      message.deleted_at AS "deletedAt", message.deleted_by AS "deletedBy", message.pinned_at AS "pinnedAt",
      message.thread_id AS "threadId"
    FROM messages AS message JOIN users AS author ON author.id = message.user_id
    WHERE message.room_id = ${roomId} ${which}`);
  return stored.map(rowOf);
}

/** One message of the room, a notice or a text. */
export function* findMessage(of: { roomId: number; messageId: number }): Steps<MessageRow | undefined> {
  const [message] = yield* selectMessages(of.roomId, sql`AND message.id = ${of.messageId}`);
  return message;
}

// The fields are written out: objects that are copied or spread take three times as long.
function rowOf(stored: StoredMessage): MessageRow {
  const { id, roomId, seq, changedSeq, userId, username, cid, content, createdAt } = stored;
  const isNotice = stored.kind === NOTICE;
  const notice = isNotice ? stored.extra : null;
  const facts = isNotice ? null : factsOf(stored);
  return { id, roomId, seq, changedSeq, userId, username, cid, content, createdAt, notice, facts };
}

function factsOf(stored: TextFacts): TextFacts | null {
  const { revision, editedAt, deletedAt, deletedBy, pinnedAt, threadId, extra } = stored;
  // Nearly all messages are plain. One that was edited has a revision.
  if (revision === 0 && deletedAt === null && pinnedAt === null && threadId === null && extra === null)
    return null;
  return { revision, editedAt, deletedAt, deletedBy, pinnedAt, threadId, extra };
}
