/** Threads: their titles and lists, and who follows them. `thread-summary.ts` has what replies change. */

import type { Thread } from '../../../../protocol/events.ts';
import { MAX_ID } from '../../../../protocol/limits.ts';
import { extraOf } from '../../../rules/message.ts';
import type { MessageRow, ThreadPageQuery, ThreadReads, ThreadsQuery, ThreadWrites } from '../store.ts';
import { selectMessages } from './message-rows.ts';
import { beginChange } from './message-work.ts';
import { putSeq } from './room-rows.ts';
import { sql } from './sql.ts';
import { findReadableHead } from './standing.ts';
import { type AsSteps, first, type Steps } from './steps.ts';
import { followedReads, followWrites } from './thread-members.ts';
import { findThreadRoot, setThread } from './thread-summary.ts';

/** Roots in one read of a list, and the most that one call reads: whether a thread is resolved is in no index. */
const ROOTS_READ = 100;
const ROOTS_MAX = 1000;

export const threadWrites: AsSteps<ThreadWrites> = {
  ...followWrites,

  *changeThread({ roomId, threadId, actorId, now, title, resolved }) {
    const begun = yield* beginChange({ roomId, messageId: threadId, actorId, now }, () => 'post');
    if ('outcome' in begun) return begun;
    const { work, message, extra } = begun;
    const { thread: before } = extra;
    if (!before) return { outcome: 'message_not_found' };
    const { title: oldTitle = '', resolved: wasResolved = false, ...facts } = before;
    const [newTitle, isResolved] = [title ?? oldTitle, resolved ?? wasResolved];
    if (newTitle === oldTitle && isResolved === wasResolved) return { outcome: 'unchanged', message };
    const thread: Thread = {
      ...facts,
      ...(newTitle !== '' && { title: newTitle }),
      ...(isResolved && { resolved: true }),
    };
    const changed = yield* setThread(work, message, thread);
    yield* putSeq(work.room);
    return { outcome: 'changed', message: changed };
  },
};

export const threadReads: AsSteps<ThreadReads> = {
  ...followedReads,

  *threads({ roomId, limit, beforeSeq = MAX_ID, resolved, reader }) {
    if (!(yield* findReadableHead({ roomId, reader }))) return undefined;
    const roots: MessageRow[] = [];
    let before = beforeSeq;
    for (let read = 0; read < ROOTS_MAX; read += ROOTS_READ) {
      const some = yield* readRoots(roomId, before);
      for (const root of some) {
        if (roots.length === limit) return { roots, next: before };
        before = lastSeqOf(root);
        if (isWanted(root, resolved)) roots.push(root);
      }
      if (some.length < ROOTS_READ) return { roots, next: null };
    }
    return { roots, next: before };
  },

  *threadPage(query) {
    const room = yield* findReadableHead(query);
    if (!room) return undefined;
    const root = yield* findThreadRoot(query);
    if (!root) return null;
    return { root, rows: yield* readReplies(query), seq: room.seq, hasBeyond: yield* hasBeyond(query) };
  },
};

function* readRoots(roomId: number, before: number): Steps<MessageRow[]> {
  return yield* selectMessages(
    roomId,
    sql`AND message.thread_last_seq < ${before} ORDER BY message.thread_last_seq DESC LIMIT ${ROOTS_READ}`,
  );
}

function threadOf({ facts }: MessageRow): Thread | undefined {
  return facts ? extraOf(facts).thread : undefined;
}

function lastSeqOf(root: MessageRow): number {
  return threadOf(root)?.last_seq ?? 0;
}

function isWanted(root: MessageRow, resolved: ThreadsQuery['resolved']): boolean {
  return resolved === undefined || (threadOf(root)?.resolved ?? false) === resolved;
}

/** One page of a thread, ascending. */
function* readReplies({ roomId, threadId, limit, beforeId, afterId }: ThreadPageQuery): Steps<MessageRow[]> {
  const inThread = sql`AND message.thread_id = ${threadId}`;
  if (afterId !== undefined) {
    const newer = sql`${inThread} AND message.id > ${afterId} ORDER BY message.seq LIMIT ${limit}`;
    return yield* selectMessages(roomId, newer);
  }
  const older = beforeId === undefined ? sql`` : sql`AND message.id < ${beforeId}`;
  const last = sql`${inThread} ${older} ORDER BY message.seq DESC LIMIT ${limit}`;
  return (yield* selectMessages(roomId, last)).reverse();
}

function* hasBeyond({ roomId, threadId, beforeId, afterId }: ThreadPageQuery): Steps<boolean> {
  if ((beforeId ?? afterId) === undefined) return false;
  const side = afterId === undefined ? sql`id >= ${beforeId ?? 0}` : sql`id <= ${afterId}`;
  const found = yield* first(sql`
    SELECT id FROM messages WHERE room_id = ${roomId} AND thread_id = ${threadId} AND ${side} LIMIT 1`);
  return found !== undefined;
}
