/** Changing the files of a message that is there. */
import { withAlt } from '../../../rules/attached-files.ts';
import type { Action } from '../../../rules/room-access.ts';
import type { FileRow, MessageChange, MessageChangeWrites, MessageRow, MessageTarget } from '../store.ts';
import { showInMessage } from './attach.ts';
import { addAudit } from './audit.ts';
import { FILE_COLUMNS } from './file-rows.ts';
import { eraseForGood } from './message-changes.ts';
import { beginChange, endChange, type MessageWork, storedExtra } from './message-work.ts';
import { sql } from './sql.ts';
import { type AsSteps, first, run, type Steps } from './steps.ts';

type FileTarget = MessageTarget & { key: string };
type Begun = MessageWork & { file: FileRow };

export const messageFileWrites: AsSteps<Pick<MessageChangeWrites, 'describeFile' | 'deleteFile'>> = {
  *describeFile({ alt, ...target }) {
    const begun = yield* beginFile(target, () => 'edit_own_text');
    if ('outcome' in begun) return begun;
    const { message, file } = begun;
    if (message.userId !== target.actorId) return { outcome: 'not_allowed' };
    yield* run(sql`UPDATE files SET info = ${withAlt(file.info, alt)} WHERE key = ${file.key}`);
    const changed = yield* showInMessage(file);
    return changed ? { outcome: 'changed', message: changed } : { outcome: 'unchanged', message };
  },

  *deleteFile(target) {
    const begun = yield* beginFile(target, ({ userId }) =>
      userId === target.actorId ? 'delete_own_text' : 'delete_text',
    );
    if ('outcome' in begun) return begun;
    const { message, extra, file } = begun;
    const { roomId, actorId, now } = target;
    const left = extra.files?.filter(({ key }) => key !== target.key) ?? [];
    if (left.length === 0 && message.content === '') return yield* eraseForGood(begun, target);
    yield* run(sql`
      UPDATE files SET state = 'deleted'
      WHERE room_id = ${message.roomId} AND message_id = ${message.id}
        AND (key = ${target.key} OR of_key = ${target.key})`);
    if (message.userId !== actorId) {
      const act = { action: 'message_deleted', actorId, roomId, userId: message.userId, now } as const;
      yield* addAudit({ ...act, messageId: message.id, details: { file: file.key } });
    }
    const stored = storedExtra({ ...extra, files: left.length === 0 ? undefined : left });
    return yield* endChange(begun, { extra: stored });
  },
};

function* beginFile(
  target: FileTarget,
  actionOn: (message: MessageRow) => Action,
): Steps<Begun | Exclude<MessageChange, { message: MessageRow }>> {
  const begun = yield* beginChange(target, actionOn);
  if ('outcome' in begun) return begun;
  const { message, facts, extra } = begun;
  if (facts.deletedAt !== null) return { outcome: 'message_not_found' };
  const isIn = extra.files?.some(({ key }) => key === target.key) === true;
  const file = isIn
    ? yield* first<FileRow>(sql`
        SELECT ${FILE_COLUMNS} FROM files
        WHERE key = ${target.key} AND message_id = ${message.id} AND state <> 'deleted'`)
    : undefined;
  return file ? { ...begun, file } : { outcome: 'file_not_found' };
}
