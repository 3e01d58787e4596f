/** Superseded by v2.ts, and removed once nothing speaks it: `chatroom.v1` with acknowledgements, resume, coded errors and presence in bulk. */
import { z } from 'zod';
import { joinSchema, leaveSchema, messageSchema, personSchema, typingSchema } from '../events.ts';
import { count, id, messageContent, seq } from '../fields.ts';
import { PING_TEXT_MAX } from '../limits.ts';
import { isCid } from '../text.ts';

/** The pong returns it unchanged, so that the sender can measure the round trip. */
const pingTime = z.union([z.number(), z.string().max(PING_TEXT_MAX)]);

export const clientFrameOneRoom = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    content: messageContent,
    cid: z.string().refine(isCid).optional(),
  }),
  z.object({ type: z.literal('typing'), is_typing: z.boolean() }),
  z.object({ type: z.literal('ping'), t: pingTime.optional() }),
]);

export const serverFrameOneRoom = z.discriminatedUnion('type', [
  /** Always the first frame. `seq`: the room's head when the socket was registered. */
  z.object({
    type: z.literal('hello'),
    protocol: z.literal(2),
    room_id: id,
    user_id: id,
    username: z.string(),
    /** Identifies the database's history; another epoch means that history was restored or reset. */
    epoch: z.string(),
    seq,
    online: count,
    /** Some of the users who are online, 200 at most. */
    users: z.array(personSchema),
    server_time: z.string(),
    heartbeat_ms: count,
    /** Zero in either rate: no limit. */
    limits: z.object({
      content: count,
      frame_bytes: count,
      messages_per_second: count,
      message_burst: count,
    }),
    /** True when the missed events follow in batches; false when nothing was to be resumed or it cannot be. */
    resumed: z.boolean(),
  }),
  messageSchema,
  /** The message is durable. `duplicate`: the cid was used before; these are the first message's numbers. */
  z.object({
    type: z.literal('ack'),
    cid: z.string(),
    id,
    seq,
    created_at: z.string(),
    duplicate: z.boolean().optional(),
  }),
  /** Missed events, ascending. Numbers that later events superseded may be left out. */
  z.object({ type: z.literal('batch'), events: z.array(messageSchema) }),
  /** Everything up to `seq` has been sent; live events follow from `seq` + 1. */
  z.object({ type: z.literal('sync'), seq }),
  /** The requested position is not available: reload history. Live events follow from `seq` + 1. */
  z.object({ type: z.literal('reset'), seq, epoch: z.string() }),
  typingSchema,
  joinSchema,
  leaveSchema,
  /**
   * The changes of a short window, in a large room. `users`: who is online now, as in `hello`; sent to a socket that
   * was too far behind to get the changes.
   */
  z.object({
    type: z.literal('presence'),
    online: count,
    joined: z.array(personSchema),
    left: z.array(personSchema),
    users: z.array(personSchema).optional(),
  }),
  z.object({ type: z.literal('pong'), t: pingTime.optional() }),
  z.object({
    type: z.literal('error'),
    content: z.string(),
    code: z.string(),
    cid: z.string().optional(),
    retryable: z.boolean(),
    retry_after_ms: count.optional(),
  }),
  /** The server is about to restart; reconnect this long after the close. */
  z.object({ type: z.literal('restart'), in_ms: count }),
]);

export type ClientFrameOneRoom = z.infer<typeof clientFrameOneRoom>;
export type ServerFrameOneRoom = z.infer<typeof serverFrameOneRoom>;
