/**
 * Posting a text that is more than plain: one that answers a message, mentions people, or has files. A plain text is
 * appended by each adapter's own code, which does the same faster.
 */
import type { MessageExtra } from '../../../../protocol/events.ts';
import { filesIn } from '../../../rules/attached-files.ts';
import type { MessageChangeWrites, MessageRow, NewPost, PostOutcome, UserChange } from '../store.ts';
import { attach, findAttachable } from './attach.ts';
import { mentionsIn } from './mentions.ts';
import { findMessage, TEXT } from './message-rows.ts';
import { isBlocked, storedExtra } from './message-work.ts';
import { putCounters } from './room-rows.ts';
import { beginWork, isIn, type RoomWork, refusal } from './room-work.ts';
import { sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { addReply, findThreadRoot } from './thread-summary.ts';
import { nextUserSeq } from './user-log.ts';

interface Existing {
  id: number;
  seq: number;
  number: number;
  content: string;
  createdAt: number;
  revision: number;
  deletedAt: number | null;
  extra: string | null;
}

export const postWrites: AsSteps<Pick<MessageChangeWrites, 'post'>> = {
  *post(post) {
    const { roomId, userId, now } = post;
    const work = yield* beginWork({ roomId, actorId: userId, now });
    if ('outcome' in work)
      return { outcome: work.outcome === 'user_not_found' ? work.outcome : 'room_not_found' };
    const refused = refusal(work, 'post');
    if (refused?.outcome === 'room_not_found') return refused;
    // What was stored before stays acknowledged, even if its author may not post any more.
    const repeated = yield* findRepeated(post);
    if (repeated) return repeated;
    if (refused) return { outcome: 'not_allowed' };
    if (yield* isBlocked(work)) return { outcome: 'not_delivered' };
    const quoted = yield* findQuoted(post);
    const root = yield* findRoot(post);
    if (quoted === 'missing' || root === 'missing') return { outcome: 'message_not_found' };
    const files = yield* findAttachable(post);
    if (files === 'invalid') return { outcome: 'invalid_files' };
    const extra = {
      ...(quoted && { reply_to: { id: quoted.id, user_id: quoted.userId } }),
      ...(yield* mentionsIn(work, post.mentions)),
      ...(files && { files }),
    };
    return yield* store(work, post, { extra, root });
  },
};

/** The outcome for a cid that was stored before. */
function* findRepeated({
  roomId,
  userId,
  cid,
  content,
  files = [],
}: NewPost): Steps<PostOutcome | undefined> {
  if (cid === null) return undefined;
  const before = yield* first<Existing>(sql`
    SELECT id, seq, coalesce(number, seq) AS number, content, created_at AS "createdAt", revision,
      deleted_at AS "deletedAt", extra
    FROM messages WHERE room_id = ${roomId} AND user_id = ${userId} AND cid = ${cid}`);
  if (!before) return undefined;
  const isChanged = before.revision > 0 || before.deletedAt !== null;
  // Files may have been deleted since, and none is ever added.
  const isSame = before.content === content && filesIn(before.extra).every(({ key }) => files.includes(key));
  if (!isSame && !isChanged) return { outcome: 'cid_conflict' };
  const { id, seq, number, createdAt } = before;
  return { outcome: 'duplicate', id, seq, number, createdAt };
}

function* findQuoted({ roomId, replyTo }: NewPost): Steps<MessageRow | 'missing' | undefined> {
  if (replyTo === undefined) return undefined;
  const quoted = yield* findMessage({ roomId, messageId: replyTo });
  // One that was deleted meanwhile is quoted as such.
  return quoted && quoted.notice === null ? quoted : 'missing';
}

function* findRoot({ roomId, threadId }: NewPost): Steps<MessageRow | 'missing' | undefined> {
  if (threadId === undefined) return undefined;
  return (yield* findThreadRoot({ roomId, threadId })) ?? 'missing';
}

/** The next text of the room. A reply in a thread is not of the main flow, so it repeats the number. */
function* store(
  work: RoomWork,
  post: NewPost,
  { extra, root }: { extra: MessageExtra; root: MessageRow | undefined },
): Steps<PostOutcome> {
  const { room, member, by } = work;
  const { cid, content, now, replyTo = null } = post;
  const seq = room.seq + 1;
  const number = root ? room.number : room.number + 1;
  // Never earlier than the room's last message, even if the clock is set back.
  const createdAt = Math.max(now, work.lastAt);
  const inserted = yield* first<{ id: number }>(sql`
    INSERT INTO messages (room_id, seq, changed_seq, number, kind, user_id, cid, content, created_at, reply_to, thread_id,
      extra)
    VALUES (${room.id}, ${seq}, ${seq}, ${number}, ${TEXT}, ${by.id}, ${cid}, ${content}, ${createdAt}, ${replyTo},
      ${root?.id ?? null}, ${storedExtra(extra)})
    RETURNING id`);
  if (!inserted) throw new Error('a text was inserted and returned no id');
  room.seq = seq;
  yield* attach(post, inserted.id);
  const message = yield* findMessage({ roomId: room.id, messageId: inserted.id });
  if (!message) throw new Error('a text was inserted and is not there');
  const changedRoot = root && (yield* addReply(work, root, message));
  yield* putCounters({ id: room.id, seq: room.seq, number, lastAt: createdAt });
  const shown = room.kind === 'dm' ? yield* showAgain(room.id) : [];
  const isMember = isIn(member) && !(member.bannedUntil !== null && member.bannedUntil > now);
  return {
    outcome: 'stored',
    id: inserted.id,
    seq,
    number,
    createdAt,
    isMember,
    message,
    ...(changedRoot && { root: changedRoot }),
    ...(shown.length > 0 && { shown }),
  };
}

/** The members who had hidden this direct conversation have it back on their lists. */
function* showAgain(roomId: number): Steps<UserChange[]> {
  const hidden = yield* all<{ userId: number }>(sql`
    SELECT user_id AS "userId" FROM members WHERE room_id = ${roomId} AND left_at IS NULL AND hidden = 1
    ORDER BY user_id`);
  const changes: UserChange[] = [];
  for (const { userId } of hidden) {
    const userSeq = yield* nextUserSeq(userId);
    yield* run(sql`
      UPDATE members SET hidden = 0, user_seq = ${userSeq} WHERE user_id = ${userId} AND room_id = ${roomId}`);
    changes.push({ userId, userSeq });
  }
  return changes;
}
