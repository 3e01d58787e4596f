/**
 * Threads: the replies to a text, apart from the room's main flow. A reply is posted by `post`, and its root keeps a
 * summary of the thread.
 */

import type { MessageRow } from '../../../rules/rows.ts';
import type { MessageChange } from './message-changes.ts';
import type { Reader } from './reader.ts';
import type { UserChange } from './user-change.ts';

/** A thread is named by its root. */
export interface ThreadOf {
  roomId: number;
  threadId: number;
}

/** How a user stands to a thread. */
export interface ThreadMemberRow {
  following: boolean;
  /** Everything in the thread up to this number of the room's log was read. */
  readSeq: number;
}

/** A thread that a user follows. `unread`: replies of others after the mark, 100 at most. */
export interface FollowedThreadRow extends ThreadMemberRow {
  root: MessageRow;
  unread: number;
}

/** What became of a user's own setting. `change` is undefined when nothing has changed. */
export type ThreadMemberChange =
  | { outcome: 'set'; change: UserChange | undefined }
  | { outcome: 'room_not_found' }
  | { outcome: 'message_not_found' };

/** `resolved`: only those that are, or are not. `beforeSeq`: only those whose last reply is before this number. */
export interface ThreadsQuery {
  roomId: number;
  limit: number;
  beforeSeq?: number | undefined;
  resolved?: boolean | undefined;
  reader?: Reader | undefined;
}

export interface ThreadPageQuery extends ThreadOf {
  limit: number;
  beforeId?: number | undefined;
  afterId?: number | undefined;
  reader?: Reader | undefined;
}

export interface ThreadWrites {
  /** A change of the root. An empty title removes it. The row has `threadChanged`. */
  changeThread(
    change: ThreadOf & {
      actorId: number;
      now: number;
      title?: string | undefined;
      resolved?: boolean | undefined;
    },
  ): MessageChange;
  /**
   * Personal. `readSeq`: the mark that begins with following, and never lowers one; undefined: everything so far is
   * read.
   */
  followThread(
    follow: ThreadOf & { userId: number; now: number; following: boolean; readSeq?: number | undefined },
  ): ThreadMemberChange;
  /** Personal: the mark only rises. The user need not follow the thread. */
  readThread(mark: ThreadOf & { userId: number; now: number; seq: number }): ThreadMemberChange;
}

export interface ThreadReads {
  /**
   * Roots, that with the latest reply first. `next`: the `beforeSeq` of the next page; null: there is none. Undefined
   * when there is no such room, or it is hidden from the reader.
   */
  threads(query: ThreadsQuery): { roots: MessageRow[]; next: number | null } | undefined;
  /**
   * The root, a page of replies as by `history`, and the room's head, in one snapshot. Undefined when there is no such
   * room, or it is hidden from the reader; null when the room has no such text, or when it is a reply itself.
   * `hasBeyond`: whether there is a reply at the cursor, or beyond it as seen from the page.
   */
  threadPage(
    query: ThreadPageQuery,
  ): { root: MessageRow; rows: MessageRow[]; seq: number; hasBeyond: boolean } | undefined | null;
  threadMember(of: ThreadOf & { userId: number }): ThreadMemberRow;
  /** Those of the rooms that the user may read, that with the latest reply first, at most 100. */
  followedThreads(of: { userId: number; now: number }): FollowedThreadRow[];
}
