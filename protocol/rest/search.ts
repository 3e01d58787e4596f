/** Searching for messages: request and response. */
import { z } from 'zod';
import { messageSchema } from '../events.ts';
import { count, id, time } from '../fields.ts';
import { MAX_ID, SEARCH_PAGE, SEARCH_QUERY_MAX } from '../limits.ts';
import { queryInteger, refusedWith } from './fields.ts';

export const searchQuery = z.object({
  /** What was typed (protocol/search/query.ts). */
  q: z
    .string()
    .default('')
    .refine(
      (text) => [...text].length <= SEARCH_QUERY_MAX && text.isWellFormed(),
      refusedWith('invalid_query'),
    ),
  sort: z.enum(['newest', 'oldest']).default('newest'),
  /** Of the page before: with `sort=newest`. */
  before_id: queryInteger('invalid_before_id', MAX_ID),
  /** The same with `sort=oldest`. */
  after_id: queryInteger('invalid_after_id', MAX_ID),
  limit: queryInteger('invalid_limit', SEARCH_PAGE.max),
  /** The time zone of the days in the query; by default that of the user's profile, or UTC. */
  tz: z.string().max(64).optional(),
});

/** Where a text has what is looked for, in UTF-16 units: from, and to (not included). They do not overlap. */
export const hits = z.array(z.tuple([count, count]));

const result = z.object({
  message: messageSchema,
  /** In its `content`. */
  hits,
  /** In the names and descriptions of its files. */
  file_hits: z.array(z.object({ key: z.string(), name: hits, alt: hits })).optional(),
});

/**
 * In the order of `sort`. `next_before_id`: where the next page begins; null: there is none. With `sort=oldest` that is
 * `next_after_id`, and `next_before_id` is null. `is_complete`: false where
 * the time for one answer was over, so that there may be more messages between those of this page and the next page.
 * `indexed_from`: only messages from this time on can be found as yet; null: all can.
 */
export const searchResponse = z.object({
  results: z.array(result),
  next_before_id: id.nullable(),
  next_after_id: id.nullable().optional(),
  is_complete: z.boolean(),
  indexed_from: time.nullable(),
});

export type SearchPage = z.infer<typeof searchResponse>;
export type SearchOrder = z.infer<typeof searchQuery>['sort'];
