/** Changing messages: edits, deletions, reactions and pins. */
import { PINS_MAX, REVISIONS_MAX } from '../../../../protocol/limits.ts';
import { picturesIn, stillLinked } from '../../../rules/link-previews.ts';
import { extraOf } from '../../../rules/message.ts';
import type {
  MessageChange,
  MessageChangeReads,
  MessageChangeWrites,
  MessageRow,
  MessageTarget,
  RevisionRow,
} from '../store.ts';
import { deleteFilesOf } from './attach.ts';
import { addAudit } from './audit.ts';
import { dropLinkPictures } from './link-pictures.ts';
import { mentionsIn } from './mentions.ts';
import { selectMessages } from './message-rows.ts';
import { beginChange, endChange, type MessageWork, storedExtra } from './message-work.ts';
import { reactionReads, reactionWrites } from './reactions.ts';
import type { RoomWork } from './room-work.ts';
import { sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { removeReply } from './thread-summary.ts';

type Changes = 'editMessage' | 'deleteMessage' | 'react' | 'pin';
type Lists = 'revisions' | 'reactionsOf' | 'pins';

export const messageChanges: AsSteps<Pick<MessageChangeWrites, Changes>> = {
  ...reactionWrites,

  *editMessage({ content, baseRevision, mentions, ...target }) {
    const begun = yield* beginChange(target, () => 'edit_own_text');
    if ('outcome' in begun) return begun;
    const { work, message, facts, extra } = begun;
    if (message.userId !== target.actorId) return { outcome: 'not_allowed' };
    if (facts.deletedAt !== null) return { outcome: 'message_changed' };
    if (message.content === content) return { outcome: 'unchanged', message };
    if (content === '' && !extra.files?.length) return { outcome: 'invalid_content' };
    if (facts.revision !== baseRevision) return { outcome: 'message_changed' };
    const { roomId, id } = message;
    yield* run(sql`
      INSERT INTO message_revisions (room_id, message_id, revision, content, edited_at)
      VALUES (${roomId}, ${id}, ${facts.revision}, ${message.content}, ${facts.editedAt ?? message.createdAt})`);
    if (facts.revision >= REVISIONS_MAX)
      yield* run(sql`
      DELETE FROM message_revisions
      WHERE room_id = ${roomId} AND message_id = ${id} AND revision <= ${facts.revision - REVISIONS_MAX}`);
    const previews = stillLinked(extra, content);
    if (previews !== extra.previews) yield* dropLinkPictures(message, picturesIn(previews));
    const stored = storedExtra({ ...extra, previews, ...(yield* mentionsIn(work, mentions)) });
    const revision = facts.revision + 1;
    return yield* endChange(begun, { content, revision, editedAt: work.now, extra: stored });
  },

  *deleteMessage(target) {
    const begun = yield* beginChange(target, ({ userId }) =>
      userId === target.actorId ? 'delete_own_text' : 'delete_text',
    );
    if ('outcome' in begun) return begun;
    const { message, facts } = begun;
    return facts.deletedAt === null ? yield* eraseForGood(begun, target) : { outcome: 'unchanged', message };
  },

  *pin({ on, ...target }) {
    const begun = yield* beginChange(target, () => 'pin');
    if ('outcome' in begun) return begun;
    const { work, message, facts } = begun;
    if (facts.deletedAt !== null) return { outcome: 'message_not_found' };
    if ((facts.pinnedAt !== null) === on) return { outcome: 'unchanged', message };
    if (on) {
      const pinned = yield* first<{ count: number }>(sql`
        SELECT count(*) AS count FROM messages WHERE room_id = ${message.roomId} AND pinned_at IS NOT NULL`);
      if (pinned && pinned.count >= PINS_MAX) return { outcome: 'too_many' };
    }
    return yield* endChange(begun, { pinnedAt: on ? work.now : null });
  },
};

/** The actor erases a text. The audit log has it where the text is of somebody else. */
export function* eraseForGood(
  { work, message }: Pick<MessageWork, 'work' | 'message'>,
  { roomId, actorId, now }: MessageTarget,
): Steps<MessageChange> {
  const [changed = message, root] = yield* eraseText(work, message, actorId);
  if (message.userId !== actorId) {
    const act = { action: 'message_deleted', actorId, roomId, userId: message.userId, now } as const;
    yield* addAudit({ ...act, messageId: message.id });
  }
  return { outcome: 'changed', message: changed, root };
}

/**
 * A text is gone, with its earlier texts, its reactions, its mentions and its files. Returns the message as it is now, and the
 * root of the thread that has one reply less.
 */
export function* eraseText(
  work: Pick<RoomWork, 'room' | 'now'>,
  message: MessageRow,
  deletedBy: number | null,
): Steps<MessageRow[]> {
  const { roomId, id, facts } = message;
  yield* run(sql`DELETE FROM message_revisions WHERE room_id = ${roomId} AND message_id = ${id}`);
  yield* run(sql`DELETE FROM reactions WHERE room_id = ${roomId} AND message_id = ${id}`);
  yield* deleteFilesOf(roomId, sql`${id}`);
  // The replies of a thread stay.
  const { thread } = facts ? extraOf(facts) : {};
  const stored = storedExtra(thread ? { thread } : {});
  const { message: changed } = yield* endChange(
    { work, message },
    {
      ...{ content: '', deletedAt: work.now, deletedBy, editedAt: null, pinnedAt: null },
      ...{ replyTo: null, extra: stored },
    },
  );
  const threadId = facts?.threadId ?? null;
  const root = threadId === null ? undefined : yield* removeReply(work, threadId);
  return root ? [changed, root] : [changed];
}

export const messageChangeReads: AsSteps<Pick<MessageChangeReads, Lists>> = {
  ...reactionReads,

  *revisions({ roomId, messageId }) {
    return yield* all<RevisionRow>(sql`
      SELECT revision, content, edited_at AS "editedAt" FROM message_revisions
      WHERE room_id = ${roomId} AND message_id = ${messageId} ORDER BY revision`);
  },

  *pins({ roomId }) {
    return yield* selectMessages(
      roomId,
      sql`AND message.pinned_at IS NOT NULL ORDER BY message.pinned_at DESC, message.id DESC LIMIT ${PINS_MAX}`,
    );
  },
};
