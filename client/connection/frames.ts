/** Parses what the server sends over a `chatroom.v2` socket. */
import type { Person } from '../../protocol/events.ts';
import type { ServerFrameOneRoom } from '../../protocol/frames/one-room.ts';
import {
  type Check,
  either,
  is,
  isFlag,
  isNatural,
  isText,
  listOf,
  optional,
  record,
} from '../api/checks.ts';
import { isMessage } from '../api/responses.ts';

export type FrameType = ServerFrameOneRoom['type'];
export type Frame<T extends FrameType> = Extract<ServerFrameOneRoom, { type: T }>;

const isPerson = record<Person>({ user_id: isNatural, username: isText });
const isPingTime = optional(either(isText, (value): value is number => typeof value === 'number'));
const change = { room_id: isNatural, user_id: isNatural, username: isText, online: isNatural };

const CHECKS: { readonly [T in FrameType]: Check<Frame<T>> } = {
  hello: record<Frame<'hello'>>({
    type: is('hello'),
    protocol: is(2),
    room_id: isNatural,
    user_id: isNatural,
    username: isText,
    epoch: isText,
    seq: isNatural,
    online: isNatural,
    users: listOf(isPerson),
    server_time: isText,
    heartbeat_ms: isNatural,
    limits: record<Frame<'hello'>['limits']>({
      content: isNatural,
      frame_bytes: isNatural,
      messages_per_second: isNatural,
      message_burst: isNatural,
    }),
    resumed: isFlag,
  }),
  message: isMessage,
  ack: record<Frame<'ack'>>({
    type: is('ack'),
    cid: isText,
    id: isNatural,
    seq: isNatural,
    created_at: isText,
    duplicate: optional(isFlag),
  }),
  batch: record<Frame<'batch'>>({ type: is('batch'), events: listOf(isMessage) }),
  sync: record<Frame<'sync'>>({ type: is('sync'), seq: isNatural }),
  reset: record<Frame<'reset'>>({ type: is('reset'), seq: isNatural, epoch: isText }),
  typing: record<Frame<'typing'>>({
    type: is('typing'),
    room_id: isNatural,
    user_id: isNatural,
    username: isText,
    is_typing: isFlag,
  }),
  join: record<Frame<'join'>>({ type: is('join'), ...change }),
  leave: record<Frame<'leave'>>({ type: is('leave'), ...change }),
  presence: record<Frame<'presence'>>({
    type: is('presence'),
    online: isNatural,
    joined: listOf(isPerson),
    left: listOf(isPerson),
    users: optional(listOf(isPerson)),
  }),
  pong: record<Frame<'pong'>>({ type: is('pong'), t: isPingTime }),
  error: record<Frame<'error'>>({
    type: is('error'),
    content: isText,
    code: isText,
    cid: optional(isText),
    retryable: isFlag,
    retry_after_ms: optional(isNatural),
  }),
  restart: record<Frame<'restart'>>({ type: is('restart'), in_ms: isNatural }),
};

const isTyped = record<{ type: string }>({ type: isText });

/** The frame, or null when it is unknown: a newer server may send frames that this client does not know. */
export function parseServerFrame(data: unknown): ServerFrameOneRoom | null {
  if (typeof data !== 'string') return null;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  return isTyped(value) && Object.hasOwn(CHECKS, value.type) && isFrame(value) ? value : null;
}

function isFrame(value: { type: string }): value is ServerFrameOneRoom {
  return CHECKS[value.type as FrameType](value);
}
