/** Files become a part of a message, and go with it. The lock of what files count keeps other changes of them out. */
import type { AttachedFile } from '../../../../protocol/attached-files.ts';
import { attachedFiles } from '../../../rules/attached-files.ts';
import { extraOf } from '../../../rules/message.ts';
import type { FileRow, MessageRow, NewPost } from '../store.ts';
import { FILE_COLUMNS } from './file-rows.ts';
import { findMessage } from './message-rows.ts';
import { endChange, storedExtra } from './message-work.ts';
import { findRoom } from './room-rows.ts';
import { list, type Sql, sql } from './sql.ts';
import { all, run, type Steps } from './steps.ts';

/** The files of a new text, as it shows them. 'invalid': one of them may not be attached. */
export function* findAttachable({
  userId,
  roomId,
  files = [],
}: NewPost): Steps<AttachedFile[] | 'invalid' | undefined> {
  if (files.length === 0) return undefined;
  const rows = yield* all<FileRow>(sql`
    SELECT ${FILE_COLUMNS} FROM files WHERE ${isAttachable({ userId, roomId }, files)} ORDER BY id`);
  const attached = attachedFiles(files, rows);
  const isWhole = attached.length === files.length;
  const areOthers = rows.some(({ key, purpose }) => purpose !== 'message' && files.includes(key));
  return isWhole && !areOthers ? attached : 'invalid';
}

/** From now on they belong to the message, and do not expire. */
export function* attach({ userId, roomId, files = [] }: NewPost, messageId: number): Steps<void> {
  if (files.length === 0) return;
  yield* run(sql`
    UPDATE files SET message_id = ${messageId}, expires_at = NULL
    WHERE ${isAttachable({ userId, roomId }, files)}`);
}

/** Complete files of this person to this room that no message has: these, and the small pictures of these. */
function isAttachable({ userId, roomId }: Pick<NewPost, 'userId' | 'roomId'>, keys: readonly string[]): Sql {
  return sql`
    owner_id = ${userId} AND expires_at IS NOT NULL AND room_id = ${roomId} AND message_id IS NULL
      AND state IN ('checking', 'ready') AND (key IN (${list(keys)}) OR of_key IN (${list(keys)}))`;
}

/** The files of a message, with their small pictures. */
export function* filesOfMessage({ roomId, id }: Pick<MessageRow, 'roomId' | 'id'>): Steps<FileRow[]> {
  return yield* all(sql`
    SELECT ${FILE_COLUMNS} FROM files
    WHERE room_id = ${roomId} AND message_id = ${id} AND state <> 'deleted' ORDER BY id`);
}

/** The check of a file has ended: its message shows what is known of it now. Undefined: no message has it. */
export function* showInMessage({ roomId, messageId }: FileRow): Steps<MessageRow | undefined> {
  if (roomId === null || messageId === null) return undefined;
  const room = yield* findRoom(roomId);
  const message = yield* findMessage({ roomId, messageId });
  if (!room || !message?.facts || message.facts.deletedAt !== null) return undefined;
  const extra = extraOf(message.facts);
  const rows = yield* filesOfMessage(message);
  const keys = extra.files?.map(({ key }) => key) ?? [];
  if (keys.length === 0) return undefined;
  const stored = storedExtra({ ...extra, files: attachedFiles(keys, rows) });
  if (stored === message.facts.extra) return undefined;
  return (yield* endChange({ work: { room }, message }, { extra: stored })).message;
}

/** The files of these messages are deleted with them. */
export function* deleteFilesOf(roomId: number, messageIds: Sql): Steps<void> {
  yield* run(sql`
    UPDATE files SET state = 'deleted'
    WHERE room_id = ${roomId} AND message_id IN (${messageIds}) AND state <> 'deleted'`);
}
