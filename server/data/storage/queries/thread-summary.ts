/** A thread as its root shows it: how many replies it has, and the latest of them. It changes with each reply. */
import type { MessageExtra, Thread } from '../../../../protocol/events.ts';
import { THREAD_PEOPLE } from '../../../../protocol/limits.ts';
import { extraOf } from '../../../rules/message.ts';
import type { MessageRow } from '../store.ts';
import { findMessage } from './message-rows.ts';
import { storedExtra, takeNumber } from './message-work.ts';
import { putSeq } from './room-rows.ts';
import type { RoomWork } from './room-work.ts';
import { sql } from './sql.ts';
import { all, type Steps } from './steps.ts';

/** When a reply is deleted, the latest authors are found among this number of replies. */
const PEOPLE_AMONG = 200;

interface ReplyRow {
  userId: number;
  seq: number;
  createdAt: number;
}

/** The text that a thread has, or may have, as its root: no notice, and no reply in a thread itself. */
export function* findThreadRoot(of: { roomId: number; threadId: number }): Steps<MessageRow | undefined> {
  const root = yield* findMessage({ roomId: of.roomId, messageId: of.threadId });
  const isRoot = root !== undefined && root.notice === null && (root.facts?.threadId ?? null) === null;
  return isRoot ? root : undefined;
}

/** The root takes the number after the reply's. The room's own row is still to be written. */
export function* addReply(work: RoomWork, root: MessageRow, reply: MessageRow): Steps<MessageRow> {
  const before = storedIn(root).thread;
  const others = before?.people.filter((userId) => userId !== reply.userId) ?? [];
  return yield* setThread(work, root, {
    ...before,
    replies: (before?.replies ?? 0) + 1,
    last_seq: reply.seq,
    last_at: new Date(reply.createdAt).toISOString(),
    people: [reply.userId, ...others].slice(0, THREAD_PEOPLE),
  });
}

/** The reply is deleted already; the root takes the number after that, and the room's own row is written. */
export function* removeReply(work: Pick<RoomWork, 'room'>, threadId: number): Steps<MessageRow | undefined> {
  const { id: roomId } = work.room;
  const root = yield* findMessage({ roomId, messageId: threadId });
  const before = root && storedIn(root).thread;
  if (!before) return undefined;
  const latest = yield* all<ReplyRow>(sql`
    SELECT user_id AS "userId", seq, created_at AS "createdAt" FROM messages
    WHERE room_id = ${roomId} AND thread_id = ${threadId} AND deleted_at IS NULL
    ORDER BY seq DESC LIMIT ${PEOPLE_AMONG}`);
  const last = latest[0] ?? root;
  const people = [...new Set(latest.map(({ userId }) => userId))];
  const changed = yield* setThread(work, root, {
    ...before,
    replies: latest.length < PEOPLE_AMONG ? latest.length : before.replies - 1,
    last_seq: last.seq,
    last_at: new Date(last.createdAt).toISOString(),
    people: people.slice(0, THREAD_PEOPLE),
  });
  yield* putSeq(work.room);
  return changed;
}

/** A thread without replies is on no list. */
export function* setThread(
  work: Pick<RoomWork, 'room'>,
  root: MessageRow,
  thread: Thread,
): Steps<MessageRow> {
  const lastSeq = thread.replies === 0 ? null : thread.last_seq;
  const extra = storedExtra({ ...storedIn(root), thread });
  const changed = yield* takeNumber(work, root, { extra, threadLastSeq: lastSeq });
  return { ...changed, threadChanged: true };
}

function storedIn({ facts }: MessageRow): MessageExtra {
  return facts ? extraOf(facts) : {};
}
