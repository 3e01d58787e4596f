/** Parses what the server sends over a `chatroom.v2` socket. */
import type { Person, Thread } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { Profile } from '../../protocol/people.ts';
import type { LastText, Membership, RoomEntry } from '../../protocol/rooms.ts';
import {
  type Check,
  isFlag,
  isNatural,
  isText,
  listOf,
  nullable,
  optional,
  record,
  some,
} from '../api/checks.ts';
import { isMessage, isRoom, isTicket } from '../api/responses.ts';

export type FrameType = ServerFrameV2['type'];
export type Frame<T extends FrameType> = Extract<ServerFrameV2, { type: T }>;

const isPerson = record<Person>({ user_id: isNatural, username: isText });
const isProfile = some<Profile>({ id: isNatural, username: isText, version: isNatural });
const isMembership = some<Membership>({ read_seq: isNatural, read_set: isNatural });
const isLast = some<LastText>({ seq: isNatural, excerpt: isText });
const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(isNatural);
const entry: { readonly [K in keyof RoomEntry]?: Check<RoomEntry[K]> } = {
  room: isRoom,
  me: isMembership,
  seq: isNatural,
  number: isNatural,
  unread: optional(isNatural),
  mentions: optional(isNatural),
  thread_mentions: optional(listOf(isPair)),
  last: nullable(isLast),
};
const isTrue = (value: unknown): value is true => value === true;
const inRoom = { room_id: isNatural };

/** The fields of each frame that the client computes with. */
const CHECKS: { readonly [T in FrameType]: Check<Frame<T>> } = {
  hello: some<Frame<'hello'>>({
    user_id: isNatural,
    epoch: isText,
    user_seq: isNatural,
    server_name: optional(isText),
    emoji: optional(isText),
    return_ticket: optional(isTicket),
    limits: some<Frame<'hello'>['limits']>({ messages_per_second: isNatural, message_burst: isNatural }),
  }),
  rooms: some<Frame<'rooms'>>({
    rooms: listOf(some<RoomEntry>(entry)),
    complete: isFlag,
    more: optional(isTrue),
  }),
  opened: some<Frame<'opened'>>({
    ...inRoom,
    seq: isNatural,
    room: isRoom,
    online: isNatural,
    users: listOf(isPerson),
    resumed: isFlag,
  }),
  batch: some<Frame<'batch'>>({ ...inRoom, events: listOf(isMessage) }),
  sync: some<Frame<'sync'>>({ ...inRoom, seq: isNatural }),
  reset: some<Frame<'reset'>>({ ...inRoom, seq: isNatural }),
  message: isMessage,
  reaction: some<Frame<'reaction'>>({
    ...inRoom,
    id: isNatural,
    changed_seq: isNatural,
    emoji: isText,
    user_id: isNatural,
    on: isFlag,
    count: isNatural,
  }),
  thread: some<Frame<'thread'>>({
    ...inRoom,
    id: isNatural,
    changed_seq: isNatural,
    thread: some<Thread>({
      replies: isNatural,
      last_seq: isNatural,
      last_at: isText,
      people: listOf(isNatural),
    }),
  }),
  typing: some<Frame<'typing'>>({ ...inRoom, user_id: isNatural, username: isText, is_typing: isFlag }),
  presence: some<Frame<'presence'>>({
    ...inRoom,
    online: isNatural,
    joined: listOf(isPerson),
    left: listOf(isPerson),
    users: optional(listOf(isPerson)),
  }),
  head: some<Frame<'head'>>({
    ...inRoom,
    from: isNatural,
    seq: isNatural,
    number: isNatural,
    room: optional(isRoom),
    last: optional(nullable(isLast)),
    texts: optional(listOf(isPair)),
    gone: optional(listOf(isPair)),
  }),
  room: some<Frame<'room'>>({ ...entry, user_seq: isNatural }),
  gone: some<Frame<'gone'>>({ ...inRoom, user_seq: isNatural }),
  me: some<Frame<'me'>>({ ...inRoom, me: isMembership, user_seq: isNatural }),
  inbox: some<Frame<'inbox'>>({ ...inRoom, message_id: isNatural, seq: isNatural, user_seq: isNatural }),
  saved: some<Frame<'saved'>>({ ...inRoom, message_id: isNatural, user_seq: isNatural }),
  thread_follow: some<Frame<'thread_follow'>>({
    ...inRoom,
    thread_id: isNatural,
    following: isFlag,
    read_seq: isNatural,
    user_seq: isNatural,
  }),
  notify: some<Frame<'notify'>>({ ...inRoom, message_id: isNatural, title: isText, body: isText }),
  user: some<Frame<'user'>>({ user: isProfile }),
  people: some<Frame<'people'>>({ online: listOf(isNatural), offline: listOf(isNatural) }),
  ack: some<Frame<'ack'>>({ ...inRoom, cid: isText, id: isNatural, seq: isNatural, created_at: isText }),
  changed: some<Frame<'changed'>>({ ...inRoom, id: isNatural, ref: isText, changed_seq: isNatural }),
  error: some<Frame<'error'>>({
    room_id: optional(isNatural),
    content: isText,
    code: isText,
    cid: optional(isText),
    ref: optional(isText),
    retryable: isFlag,
    retry_after_ms: optional(isNatural),
  }),
  pong: some<Frame<'pong'>>({}),
  restart: some<Frame<'restart'>>({ in_ms: isNatural }),
  return_ticket: isTicket as Check<Frame<'return_ticket'>>,
};

const isTyped = record<{ type: string }>({ type: isText });

/** The frame, or null when it is unknown: a newer server may send frames that this client does not know. */
export function parseServerFrame(data: unknown): ServerFrameV2 | null {
  if (typeof data !== 'string') return null;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  return isTyped(value) && Object.hasOwn(CHECKS, value.type) && isFrame(value) ? value : null;
}

function isFrame(value: { type: string }): value is ServerFrameV2 {
  const check: Check<ServerFrameV2> = CHECKS[value.type as FrameType] as Check<ServerFrameV2>;
  return check(value);
}
