/** The inbox, and why a message did or did not notify the user: requests and responses. */
import { z } from 'zod';
import { messageSchema } from '../events.ts';
import { time } from '../fields.ts';
import { INBOX_PAGE, MAX_ID } from '../limits.ts';
import { notifyDecision, notifyReason } from '../notifications.ts';
import { queryInteger } from './fields.ts';

/** `before_id`: only entries of messages before that one. */
export const inboxQuery = z.object({
  limit: queryInteger('invalid_limit', INBOX_PAGE.max),
  before_id: queryInteger('invalid_before_id', MAX_ID),
});

/** The latest first. `read`: the room was read up to there, on any device. */
export const inboxResponse = z.object({
  entries: z.array(
    z.object({ message: messageSchema, reason: notifyReason, created_at: time, read: z.boolean() }),
  ),
  has_more: z.boolean(),
});

/** What explains a decision; null: nothing more is to say. */
export const whyDetail = z.enum([
  'own',
  'blocked',
  'left',
  'deleted',
  'no_reason',
  'level',
  'muted',
  'dnd',
  'no_device',
  'failed',
  /** One push a minute stands for the plain texts of a room. */
  'coalesced',
  /** The message is older than the record of decisions. */
  'forgotten',
]);

/** `reason`: null when the message gave the user none. */
export const whyResponse = z.object({
  reason: notifyReason.nullable(),
  decision: notifyDecision,
  detail: whyDetail.nullable(),
});

export type InboxPage = z.infer<typeof inboxResponse>;
export type WhyDetail = z.infer<typeof whyDetail>;
export type Why = z.infer<typeof whyResponse>;
