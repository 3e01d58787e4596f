/** The rows of messages, as every read of them selects them. */
import type { MessageRow, TextFacts } from '../store.ts';
import { renameRemoved } from './removed-names.ts';
import { list, type Sql, sql } from './sql.ts';
import { all, run, type Steps } from './steps.ts';

/** `messages.kind`. */
export const TEXT = 0;
export const NOTICE = 1;

/** The main flow leaves out the replies of threads; `messages_flow` is its index. */
export const IN_FLOW = sql`AND message.thread_id IS NULL`;

/** As stored: what a plain text does not have is in columns of its own. */
interface StoredMessage
  extends Omit<MessageRow, 'notice' | 'facts' | 'reaction' | 'threadChanged'>,
    TextFacts {
  kind: number;
}

/** All but the author's name. */
const COLUMNS = sql`
  message.id, message.room_id AS "roomId", message.seq, message.user_id AS "userId", message.cid, message.content,
  message.created_at AS "createdAt", message.changed_seq AS "changedSeq", message.kind, message.extra,
  message.revision, message.edited_at AS "editedAt", message.deleted_at AS "deletedAt",
  message.deleted_by AS "deletedBy", message.pinned_at AS "pinnedAt", message.thread_id AS "threadId"`;

/** What a change sets of a text. The fields that it does not name stay as they are. */
export type TextChange = Partial<Pick<MessageRow, 'content'> & Omit<TextFacts, 'threadId'> & Unseen>;

/** Columns that no read of messages selects. */
interface Unseen {
  replyTo: null;
  threadLastSeq: number | null;
}

const COLUMN_OF: Record<keyof TextChange, Sql> = {
  content: sql`content`,
  revision: sql`revision`,
  editedAt: sql`edited_at`,
  deletedAt: sql`deleted_at`,
  deletedBy: sql`deleted_by`,
  pinnedAt: sql`pinned_at`,
  extra: sql`extra`,
  replyTo: sql`reply_to`,
  threadLastSeq: sql`thread_last_seq`,
};

/** What a plain text has beyond itself. */
export const PLAIN: TextFacts = {
  revision: 0,
  editedAt: null,
  deletedAt: null,
  deletedBy: null,
  pinnedAt: null,
  threadId: null,
  extra: null,
};

/** A room's messages; `which` says which of them, in what order and how many. */
export function* selectMessages(roomId: number, which: Sql): Steps<MessageRow[]> {
  return yield* select(sql`message.room_id = ${roomId} ${which}`);
}

function* select(condition: Sql): Steps<MessageRow[]> {
  const stored = yield* all<StoredMessage>(sql`
    SELECT ${COLUMNS}, author.username
    FROM messages AS message JOIN users AS author ON author.id = message.user_id
    WHERE ${condition}`);
  yield* renameRemoved(stored.filter(({ kind }) => kind === NOTICE));
  return stored.map(rowOf);
}

/**
 * Changes a text as it was read in this transaction, and returns it as it is then. `RETURNING` would take as long as a
 * third of the update.
 */
export function* updateMessage(
  message: MessageRow,
  changedSeq: number,
  change: TextChange,
): Steps<MessageRow> {
  let set = sql`changed_seq = ${changedSeq}`;
  for (const name of Object.keys(change) as (keyof TextChange)[])
    set = sql`${set}, ${COLUMN_OF[name]} = ${change[name] ?? null}`;
  yield* run(sql`UPDATE messages SET ${set} WHERE room_id = ${message.roomId} AND id = ${message.id}`);
  const { id, roomId, seq, userId, username, cid, createdAt, notice } = message;
  const { content = message.content } = change;
  const facts = factsOf(changed(message.facts ?? PLAIN, change));
  return { id, roomId, seq, changedSeq, userId, username, cid, content, createdAt, notice, facts };
}

function changed(before: TextFacts, change: TextChange): TextFacts {
  return {
    revision: change.revision ?? before.revision,
    editedAt: change.editedAt === undefined ? before.editedAt : change.editedAt,
    deletedAt: change.deletedAt === undefined ? before.deletedAt : change.deletedAt,
    deletedBy: change.deletedBy === undefined ? before.deletedBy : change.deletedBy,
    pinnedAt: change.pinnedAt === undefined ? before.pinnedAt : change.pinnedAt,
    threadId: before.threadId,
    extra: change.extra === undefined ? before.extra : change.extra,
  };
}

/** One message of the room, a notice or a text. */
export function* findMessage(of: { roomId: number; messageId: number }): Steps<MessageRow | undefined> {
  const [message] = yield* selectMessages(of.roomId, sql`AND message.id = ${of.messageId}`);
  return message;
}

/** Messages of any rooms, by id, in one statement. */
export function* findMessages(
  of: readonly { roomId: number; messageId: number }[],
): Steps<Map<number, MessageRow>> {
  if (of.length === 0) return new Map();
  const rooms = list([...new Set(of.map(({ roomId }) => roomId))]);
  const ids = list(of.map(({ messageId }) => messageId));
  const found = yield* select(sql`message.room_id IN (${rooms}) AND message.id IN (${ids})`);
  return new Map(found.map((message) => [message.id, message]));
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
