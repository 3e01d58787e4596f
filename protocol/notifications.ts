/** Why a message notifies somebody, and when the user wants no notifications. */
import { z } from 'zod';
import { time } from './fields.ts';
import { QUIET_HOURS_MAX } from './limits.ts';
import { notifyLevel } from './rooms.ts';

/** The first that fits: a direct message, a mention, a reply to one's own text, a thread that one follows … */
export const notifyReason = z.enum(['dm', 'mention', 'reply', 'thread', 'room', 'all', 'invite']);

/** `waited`: it still waits to be pushed. */
export const notifyDecision = z.enum(['pushed', 'shown', 'waited', 'read_first', 'off']);

const clockTime = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/);

/**
 * Do not disturb: until a time, and in weekly hours of the user's time zone. `day`: 0 is Sunday. An end that is not after
 * the start is on the next day.
 */
export const quietSchema = z.object({
  until: time.optional(),
  hours: z
    .array(z.object({ day: z.int().min(0).max(6), from: clockTime, to: clockTime }))
    .max(QUIET_HOURS_MAX)
    .optional(),
});

/**
 * `default`: for rooms without a setting of their own; absent: mentions. `hide_text`: notifications say where and from
 * whom, and nothing of the text. `badge` and `sound`: absent means on.
 */
export const notificationSettings = z.object({
  default: notifyLevel.optional(),
  dnd: quietSchema.optional(),
  hide_text: z.boolean().optional(),
  badge: z.boolean().optional(),
  sound: z.boolean().optional(),
});

export type NotifyReason = z.infer<typeof notifyReason>;
export type NotifyDecision = z.infer<typeof notifyDecision>;
export type Quiet = z.infer<typeof quietSchema>;
export type NotificationSettings = z.infer<typeof notificationSettings>;
