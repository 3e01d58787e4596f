/** Requests and responses about Web Push. */
import { z } from 'zod';
import { PUSH_ENDPOINT_MAX, PUSH_TEST_MAX } from '../limits.ts';

/** The key that a browser subscribes with (RFC 8292), as base64url. */
export const pushKeyResponse = z.object({ public_key: z.string() });

/** As browsers write addresses: without spaces, control characters and characters beyond ASCII. */
const endpoint = z
  .string()
  .max(PUSH_ENDPOINT_MAX)
  .regex(/^[!-~]+$/);

/** As `PushSubscription.toJSON()` has it. Keys are base64url of 65 and of 16 bytes (RFC 8291 §2.1 and §3.2). */
export const pushSubscriptionBody = z.object({
  endpoint,
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});
export const pushEndpointBody = z.object({ endpoint });
/** The words of a test notification, in the user's language. */
export const pushTestBody = z.object({
  title: z.string().max(PUSH_TEST_MAX),
  body: z.string().max(PUSH_TEST_MAX),
});
/** To how many subscriptions the test was sent. */
export const pushTestResponse = z.object({ subscriptions: z.number().int() });

/**
 * What a push message has, as JSON. `tag`: one notification on the device replaces another with the same one. `url`: the
 * path of the client that a click opens.
 */
export const pushPayload = z.object({
  title: z.string(),
  body: z.string(),
  url: z.string(),
  tag: z.string(),
  room_id: z.number().int().optional(),
  message_id: z.number().int().optional(),
  /** The message is a reply in this thread, and is read with the thread. */
  thread_id: z.number().int().optional(),
  /** The message's number in its room: once that has been read in its own flow, a page closes the notification. */
  seq: z.number().int().optional(),
});

export type PushPayload = z.infer<typeof pushPayload>;
export type PushSubscriptionBody = z.infer<typeof pushSubscriptionBody>;
