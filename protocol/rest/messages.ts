/** The history of a room: requests and responses. */
import { z } from 'zod';
import { messageSchema } from '../events.ts';
import { seq } from '../fields.ts';
import { HISTORY_PAGE, MAX_ID } from '../limits.ts';
import { queryInteger, refusedWith } from './fields.ts';

export const historyQuery = z
  .object({
    limit: queryInteger('invalid_limit', HISTORY_PAGE.max),
    before_id: queryInteger('invalid_before_id', MAX_ID),
    after_id: queryInteger('invalid_after_id', MAX_ID),
    /** `flow`: also the room's notices. Without it, texts only. */
    view: z.literal('flow').optional(),
  })
  .refine(
    (query) => query.before_id === undefined || query.after_id === undefined,
    refusedWith('invalid_after_id'),
  );

/** `epoch` and `seq`: the database's epoch and the room's head when the page was read. */
export const historyResponse = z.object({
  messages: z.array(messageSchema),
  has_more: z.boolean(),
  epoch: z.string(),
  seq,
});

export type HistoryPage = z.infer<typeof historyResponse>;
