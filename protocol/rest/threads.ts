/** Threads: requests and responses. */
import { z } from 'zod';
import { messageSchema } from '../events.ts';
import { count, seq } from '../fields.ts';
import { HISTORY_PAGE, MAX_ID, THREAD_TITLE_MAX, THREADS_PAGE } from '../limits.ts';
import { oneLine } from '../names.ts';
import { queryAfter, queryInteger, refusedWith, textOf } from './fields.ts';
import { historyResponse } from './messages.ts';

/** `resolved`: only those that are, or are not. `before_seq`: `next_before_seq` of the page before. */
export const threadsQuery = z.object({
  limit: queryInteger('invalid_limit', THREADS_PAGE.max),
  before_seq: queryInteger('bad_request', MAX_ID),
  resolved: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
});

/** The roots, that with the latest reply first. `next_before_seq`: null when there are no more. */
export const threadsResponse = z.object({
  threads: z.array(messageSchema),
  next_before_seq: seq.nullable(),
});

export const threadMessagesQuery = z
  .object({
    limit: queryInteger('invalid_limit', HISTORY_PAGE.max),
    before_id: queryInteger('invalid_before_id', MAX_ID),
    after_id: queryInteger('invalid_after_id', MAX_ID),
  })
  .refine(
    ({ before_id, after_id }) => before_id === undefined || after_id === undefined,
    refusedWith('invalid_after_id'),
  );

/** How the user stands to the thread. Up to `read_seq` the user has read it. */
const threadMember = z.object({ following: z.boolean(), read_seq: seq });

/** The replies, ascending. `has_more`: before the page; `has_more_after`: after it. */
export const threadMessagesResponse = historyResponse.extend({
  root: messageSchema,
  has_more_after: z.boolean(),
  quoted: z.array(messageSchema).optional(),
  me: threadMember,
});

/** An empty title removes it. */
export const patchThreadBody = z.object({
  title: textOf((raw) => oneLine(raw, THREAD_TITLE_MAX)).optional(),
  resolved: z.boolean().optional(),
});

/** `seq`: of the last reply that was read. */
export const readThreadBody = z.object({ seq });

/** `unread`: replies of others after the mark, 100 at most. */
const followedThread = threadMember.extend({ root: messageSchema, unread: count });

/** The last thread of the page before: its root, and its `last_at`. */
export const followedThreadsQuery = queryAfter;
/** The latest 100, that with the latest reply first. */
export const followedThreadsResponse = z.object({ threads: z.array(followedThread), has_more: z.boolean() });

export type ThreadsPage = z.infer<typeof threadsResponse>;
export type ThreadPage = z.infer<typeof threadMessagesResponse>;
export type ThreadPatch = z.infer<typeof patchThreadBody>;
export type FollowedThreads = z.infer<typeof followedThreadsResponse>;
