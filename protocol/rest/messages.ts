/** The history of a room, and changes of its messages: requests and responses. */
import { z } from 'zod';
import { messageSchema, personSchema } from '../events.ts';
import { count, fileMessageContent, id, seq, shownReaction, time } from '../fields.ts';
import { HISTORY_PAGE, MAX_ID, SAVED_NOTE_MAX, SAVED_PAGE } from '../limits.ts';
import { noteOf } from '../text.ts';
import { queryAfter, queryInteger, queryTime, refusedWith, textOf } from './fields.ts';

export const historyQuery = z
  .object({
    limit: queryInteger('invalid_limit', HISTORY_PAGE.max),
    before_id: queryInteger('invalid_before_id', MAX_ID),
    after_id: queryInteger('invalid_after_id', MAX_ID),
    /** A message of the room; the page has what is around it. */
    around_id: queryInteger('invalid_around_id', MAX_ID),
    /** A place in time, in Unix milliseconds once it is parsed. */
    around_time: queryTime('invalid_around_time'),
    /** `flow`: also the room's notices. Without it, texts only. */
    view: z.literal('flow').optional(),
  })
  .refine(({ before_id, after_id }) => isAlone(after_id, before_id), refusedWith('invalid_after_id'))
  .refine(
    ({ around_id, before_id, after_id, view }) =>
      isAlone(around_id, before_id, after_id) && (around_id === undefined || view === 'flow'),
    refusedWith('invalid_around_id'),
  )
  .refine(
    ({ around_time, before_id, after_id, around_id, view }) =>
      isAlone(around_time, before_id, after_id, around_id) && (around_time === undefined || view === 'flow'),
    refusedWith('invalid_around_time'),
  );

function isAlone(place: number | undefined, ...others: (number | undefined)[]): boolean {
  return place === undefined || others.every((other) => other === undefined);
}

/** `epoch` and `seq`: the database's epoch and the room's head when the page was read. */
export const historyResponse = z.object({
  messages: z.array(messageSchema),
  has_more: z.boolean(),
  epoch: z.string(),
  seq,
});

/**
 * With `view=flow`, `has_more` is about what is before the page, and `has_more_after` about what is after it. `target`: the
 * message at the place that the page is around; with `thread_id`, it is a reply in that thread, and the page is around
 * its root. `quoted`: the messages that those of the page answer and that are not on it.
 */
export const flowResponse = historyResponse.extend({
  has_more_after: z.boolean(),
  target: z.object({ id, thread_id: id.optional() }).optional(),
  quoted: z.array(messageSchema).optional(),
});

/**
 * `base_revision`: the revision that the author has edited; 0: the text as it was posted. `content` may be empty where the
 * message has files.
 */
export const editBody = z.object({ content: fileMessageContent, base_revision: count });

/** `from_revision`: without those before it. */
export const revisionsQuery = z.object({ from_revision: queryInteger('bad_request', MAX_ID) });
export const revisionsResponse = z.object({
  revisions: z.array(z.object({ revision: count, content: z.string(), edited_at: time })),
  has_more: z.boolean(),
});

/** `people`: the first of them, at most 200. */
export const reactionsResponse = z.object({
  reactions: z.array(z.object({ emoji: shownReaction, count, people: z.array(personSchema) })),
});

/** Only messages that were pinned before this one: the last of the page before, and when it was pinned. */
export const pinsQuery = queryAfter;
export const pinsResponse = z.object({ messages: z.array(messageSchema), has_more: z.boolean() });

export const saveBody = z.object({
  /** Null: none. Absent: the one that the bookmark has. */
  note: textOf((raw) => noteOf(raw, SAVED_NOTE_MAX))
    .nullable()
    .optional(),
});

/** `before_user_seq`: only bookmarks that were saved or changed before that one. */
export const savedQuery = z.object({
  limit: queryInteger('invalid_limit', SAVED_PAGE.max),
  before_user_seq: queryInteger('bad_request', MAX_ID),
});

/** The latest saved or changed first. */
export const savedResponse = z.object({
  saved: z.array(z.object({ message: messageSchema, note: z.string(), saved_at: time, user_seq: seq })),
  has_more: z.boolean(),
});

export type RevisionsPage = z.infer<typeof revisionsResponse>;
export type ReactionsPage = z.infer<typeof reactionsResponse>;
export type PinsPage = z.infer<typeof pinsResponse>;
export type SavedPage = z.infer<typeof savedResponse>;
export type HistoryPage = z.infer<typeof historyResponse>;
export type FlowPage = z.infer<typeof flowResponse>;
