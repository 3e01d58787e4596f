/** Which threads a user follows, and how far the user has read in them. */
import { FOLLOWED_THREADS_LISTED, UNREAD_MAX } from '../../../../protocol/limits.ts';
import type { FollowedThreadRow, ThreadMemberChange, ThreadOf, ThreadReads, ThreadWrites } from '../store.ts';
import { findMessage } from './message-rows.ts';
import { sql } from './sql.ts';
import { mayRead } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { findThreadRoot } from './thread-summary.ts';
import { nextUserSeq } from './user-log.ts';

interface StoredMember {
  /** As stored; `isFollowing` also depends on the level of the room. */
  following: number | null;
  isFollowing: number | null;
  readSeq: number;
}

/** What people asked for, and what follows from what they have done, in `thread_members.following`. */
const [LEFT, ASKED] = [0, 2];

/** Rows of `thread_members` as `own`, with what `FOLLOWING` needs. */
export const THREAD_MEMBERS = sql`thread_members AS own
  LEFT JOIN members AS level ON level.user_id = own.user_id AND level.room_id = own.room_id`;

/** Whether the user follows the thread: 1, 0, or NULL where nobody has said. In a room of 'none', by request only. */
export const FOLLOWING = sql`CASE
  WHEN own.following = 1 AND level.threads = 'none' THEN 0 WHEN own.following > 0 THEN 1 ELSE own.following END`;

/** Threads of rooms that the user has lost take no place among those that are listed. */
const MAY_BE_READABLE = sql`(level.left_at IS NULL AND level.user_id IS NOT NULL
  OR EXISTS (SELECT 1 FROM rooms WHERE rooms.id = own.room_id AND rooms.kind = 'public'))`;

interface FollowedRow {
  roomId: number;
  threadId: number;
  readSeq: number;
  lastSeq: number | null;
}

/** Names one user in one thread. */
type MemberKey = ThreadOf & { userId: number };

export const followWrites: AsSteps<Pick<ThreadWrites, 'followThread' | 'readThread'>> = {
  *followThread({ now, following, readSeq, ...of }) {
    const root = yield* findReadableRoot(of, now);
    if (typeof root === 'object') return root;
    const before = yield* findMember(of);
    const next = following ? ASKED : LEFT;
    if (before?.following === next || (!before && !following)) return { outcome: 'set', change: undefined };
    const isStart = before?.isFollowing !== 1;
    const from = Math.max(before?.readSeq ?? 0, isStart ? (readSeq ?? root) : 0);
    return yield* put(of, { following: next, readSeq: from });
  },

  *readThread({ now, seq, ...of }) {
    const root = yield* findReadableRoot(of, now);
    if (typeof root === 'object') return root;
    const before = yield* findMember(of);
    // A mark beyond the last reply would hide the replies to come.
    const readSeq = Math.min(seq, root);
    if (readSeq <= (before?.readSeq ?? 0)) return { outcome: 'set', change: undefined };
    return yield* put(of, { following: before?.following ?? null, readSeq });
  },
};

export const followedReads: AsSteps<Pick<ThreadReads, 'threadMember' | 'followedThreads'>> = {
  *threadMember(of) {
    const member = yield* findMember(of);
    return { following: member?.isFollowing === 1, readSeq: member?.readSeq ?? 0 };
  },

  *followedThreads({ userId, now }) {
    const followed = yield* all<FollowedRow>(sql`
      SELECT own.room_id AS "roomId", own.thread_id AS "threadId", own.read_seq AS "readSeq",
        root.thread_last_seq AS "lastSeq"
      FROM ${THREAD_MEMBERS}
        JOIN messages AS root ON root.id = own.thread_id
        LEFT JOIN messages AS reply ON reply.room_id = own.room_id AND reply.seq = root.thread_last_seq
      WHERE own.user_id = ${userId} AND ${FOLLOWING} = 1 AND ${MAY_BE_READABLE}
      ORDER BY coalesce(reply.created_at, root.created_at) DESC, own.thread_id DESC
      LIMIT ${FOLLOWED_THREADS_LISTED}`);
    const readable = new Map<number, boolean>();
    const rows: FollowedThreadRow[] = [];
    for (const { roomId, threadId, readSeq, lastSeq } of followed) {
      const isReadable = readable.get(roomId) ?? (yield* mayRead({ roomId, userId }, now));
      readable.set(roomId, isReadable);
      if (!isReadable) continue;
      const root = yield* findMessage({ roomId, messageId: threadId });
      if (!root) continue;
      const of = { roomId, threadId, userId };
      const unread = (lastSeq ?? 0) > readSeq ? yield* countUnread(of, readSeq) : 0;
      rows.push({ root, following: true, readSeq, unread });
    }
    return rows;
  },
};

/** The number of the thread's last reply, or of its root. */
function* findReadableRoot(
  { roomId, threadId, userId }: MemberKey,
  now: number,
): Steps<number | Exclude<ThreadMemberChange, { outcome: 'set' }>> {
  if (!(yield* mayRead({ roomId, userId }, now))) return { outcome: 'room_not_found' };
  const root = yield* findThreadRoot({ roomId, threadId });
  if (!root) return { outcome: 'message_not_found' };
  const last = yield* first<{ seq: number }>(sql`
    SELECT seq FROM messages WHERE room_id = ${roomId} AND thread_id = ${threadId} ORDER BY seq DESC LIMIT 1`);
  return last?.seq ?? root.seq;
}

function* findMember({ userId, roomId, threadId }: MemberKey): Steps<StoredMember | undefined> {
  return yield* first<StoredMember>(sql`
    SELECT own.following, ${FOLLOWING} AS "isFollowing", own.read_seq AS "readSeq" FROM ${THREAD_MEMBERS}
    WHERE own.user_id = ${userId} AND own.room_id = ${roomId} AND own.thread_id = ${threadId}`);
}

function* put(
  of: MemberKey,
  { following, readSeq }: Omit<StoredMember, 'isFollowing'>,
): Steps<ThreadMemberChange> {
  const { userId, roomId, threadId } = of;
  const userSeq = yield* nextUserSeq(userId);
  yield* run(sql`
    INSERT INTO thread_members (user_id, room_id, thread_id, following, read_seq, user_seq)
    VALUES (${userId}, ${roomId}, ${threadId}, ${following}, ${readSeq}, ${userSeq})
    ON CONFLICT (user_id, room_id, thread_id) DO UPDATE SET following = excluded.following,
      read_seq = excluded.read_seq, user_seq = excluded.user_seq`);
  return { outcome: 'set', change: { userId, userSeq } };
}

/** Replies of others after the mark, without deleted ones and those of blocked people. */
function* countUnread({ userId, roomId, threadId }: MemberKey, readSeq: number): Steps<number> {
  const found = yield* first<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM messages
      WHERE room_id = ${roomId} AND thread_id = ${threadId} AND seq > ${readSeq} AND deleted_at IS NULL
        AND user_id <> ${userId}
        AND user_id NOT IN (SELECT blocked_id FROM blocks WHERE user_id = ${userId} AND removed = 0)
      LIMIT ${UNREAD_MAX}) AS found`);
  return found?.count ?? 0;
}
