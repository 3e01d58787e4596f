/** The rows of messages, as every read of them selects them. */
import type { MessageRow, TextFacts } from '../store.ts';
import { renameRemoved } from './removed-names.ts';
import { list, type Sql, sql } from './sql.ts';
import { all, first, type Steps } from './steps.ts';

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
const COLUMNS = columnsOf(sql`message`);
/** `RETURNING` of SQLite knows no alias. */
const OWN_COLUMNS = columnsOf(sql`messages`);

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
  return stored.map((row) => rowOf(row, row.username));
}

/** Writes these columns of a message that was read before, and returns it as it is then. */
export function* updateMessage({ roomId, id, username }: MessageRow, set: Sql): Steps<MessageRow> {
  const stored = yield* first<Omit<StoredMessage, 'username'>>(sql`
    UPDATE messages SET ${set} WHERE room_id = ${roomId} AND id = ${id} RETURNING ${OWN_COLUMNS}`);
  if (!stored) throw new Error(`message ${id} was read and is not there`);
  return rowOf(stored, username);
}

function columnsOf(table: Sql): Sql {
  return sql`
    ${table}.id, ${table}.room_id AS "roomId", ${table}.seq, ${table}.user_id AS "userId", ${table}.cid,
    ${table}.content, ${table}.created_at AS "createdAt", ${table}.changed_seq AS "changedSeq", ${table}.kind,
    ${table}.extra, ${table}.revision, ${table}.edited_at AS "editedAt", ${table}.deleted_at AS "deletedAt",
    ${table}.deleted_by AS "deletedBy", ${table}.pinned_at AS "pinnedAt", ${table}.thread_id AS "threadId"`;
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
function rowOf(stored: Omit<StoredMessage, 'username'>, username: string): MessageRow {
  const { id, roomId, seq, changedSeq, userId, cid, content, createdAt } = stored;
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
