/**
 * The frames of the WebSocket, one JSON object each. `chatroom.v1` is the base that any simple client speaks;
 * `chatroom.v2` adds acknowledgements, resume, coded errors and presence in bulk.
 */
import { z } from 'zod';
import { MAX_ID, PING_TEXT_MAX } from './limits.ts';
import { messageSchema } from './rest.ts';
import { isCid, isMessageContent } from './text.ts';

export { CLOSE, SUBPROTOCOLS, type Subprotocol, TICKET_PROTOCOL_PREFIX } from './constants.ts';

const id = z.int().min(1).max(MAX_ID);
const seq = z.int().min(0).max(MAX_ID);
const count = z.int().min(0);
const content = z.string().refine(isMessageContent);
const typing = z.object({ type: z.literal('typing'), is_typing: z.boolean() });
/** Whatever a ping carries comes back, so that its sender can measure the way. */
const pingTime = z.union([z.number(), z.string().max(PING_TEXT_MAX)]);

export const clientFrameV1 = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), content }),
  typing,
  z.object({ type: z.literal('ping') }),
]);

export const clientFrameV2 = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), content, cid: z.string().refine(isCid).optional() }),
  typing,
  z.object({ type: z.literal('ping'), t: pingTime.optional() }),
]);

export type ClientFrame = z.infer<typeof clientFrameV2>;
export const CLIENT_FRAME_TYPES: ReadonlySet<string> = new Set<ClientFrame['type']>([
  'message',
  'typing',
  'ping',
]);

const person = z.object({ user_id: id, username: z.string() });
const presenceChange = { room_id: id, user_id: id, username: z.string(), online: count };
const typingNotice = z.object({
  type: z.literal('typing'),
  room_id: id,
  user_id: id,
  username: z.string(),
  is_typing: z.boolean(),
});
const join = z.object({ type: z.literal('join'), ...presenceChange });
const leave = z.object({ type: z.literal('leave'), ...presenceChange });

export const serverFrameV1 = z.discriminatedUnion('type', [
  messageSchema,
  typingNotice,
  join,
  leave,
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), content: z.string() }),
]);

export const serverFrameV2 = z.discriminatedUnion('type', [
  /** Always the first frame. `seq`: the room's head when the socket was registered. */
  z.object({
    type: z.literal('hello'),
    protocol: z.literal(2),
    room_id: id,
    user_id: id,
    username: z.string(),
    /** The name of this database's life; another one means that history was restored or reset. */
    epoch: z.string(),
    seq,
    online: count,
    /** Some of those who are here, 200 at most. */
    users: z.array(person),
    server_time: z.string(),
    heartbeat_ms: count,
    /** Zero in either rate: no limit. */
    limits: z.object({
      content: count,
      frame_bytes: count,
      messages_per_second: count,
      message_burst: count,
    }),
    /** True when what was missed follows in batches; false when there was nothing to resume or it is gone. */
    resumed: z.boolean(),
  }),
  messageSchema,
  /** The message is durable. `duplicate`: the cid was used before; these are the first one's numbers. */
  z.object({
    type: z.literal('ack'),
    cid: z.string(),
    id,
    seq,
    created_at: z.string(),
    duplicate: z.boolean().optional(),
  }),
  /** What was missed, ascending. Numbers that later events superseded may be left out. */
  z.object({ type: z.literal('batch'), events: z.array(messageSchema) }),
  /** All up to `seq` has been sent; live events follow from `seq` + 1. */
  z.object({ type: z.literal('sync'), seq }),
  /** The place asked for is not there: reload history. Live events follow from `seq` + 1. */
  z.object({ type: z.literal('reset'), seq, epoch: z.string() }),
  typingNotice,
  join,
  leave,
  /**
   * All changes of a short while, in a large room. `users`: who is here now, as in `hello`; sent to a socket that was
   * too far behind to be told of changes.
   */
  z.object({
    type: z.literal('presence'),
    online: count,
    joined: z.array(person),
    left: z.array(person),
    users: z.array(person).optional(),
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
  /** The server is about to restart; come back so long after the close. */
  z.object({ type: z.literal('restart'), in_ms: count }),
]);

export type ServerFrameV1 = z.infer<typeof serverFrameV1>;
export type ServerFrameV2 = z.infer<typeof serverFrameV2>;
export type Person = z.infer<typeof person>;
