import { describe, expect, test } from 'vitest';
import { type ServerFrameV2, serverFrameV2 } from '../../protocol/frames/v2.ts';
import { helloFrame, openedFrame, roomInfo } from '../testing/hello.ts';
import { message, ROOM as room_id } from '../testing/messages.ts';
import { type FrameType, parseServerFrame } from './frames.ts';

const person = { user_id: 7, username: 'ann' };
const created_at = '2026-01-01T00:00:00.000Z';
const me = {
  role: 'member',
  notify: null,
  notify_muted_until: null,
  threads: null,
  starred: false,
  hidden: false,
  read_seq: 3,
  read_set: 0,
} as const;
const last = { seq: 4, user_id: 8, username: 'bo', excerpt: 'hi', created_at };
const entry = {
  room: roomInfo(1),
  me,
  seq: 4,
  number: 4,
  unread: 1,
  mentions: 0,
  thread_mentions: [[3, 4]] as [number, number][],
  last,
};
const user = {
  id: 7,
  username: 'ann',
  version: 2,
  kind: 'person',
  role: 'member',
  display_name: '',
  status: null,
  time_zone: null,
  suspended: false,
} as const;

const FRAMES: { readonly [T in FrameType]: Extract<ServerFrameV2, { type: T }> } = {
  hello: helloFrame({ server_time: created_at, return_ticket: { ticket: 'abc', expires_in: 900 } }),
  return_ticket: { type: 'return_ticket', ticket: 'abc', expires_in: 900 },
  rooms: { type: 'rooms', rooms: [entry], complete: true },
  opened: openedFrame({ room_id, seq: 4 }),
  batch: { type: 'batch', room_id, events: [message(1)] },
  sync: { type: 'sync', room_id, seq: 0 },
  reset: { type: 'reset', room_id, seq: 0 },
  message: message(1, { cid: 'c', changed_seq: 2 }),
  reaction: {
    ...{ type: 'reaction', room_id, id: 1, changed_seq: 5, emoji: '👍', user_id: 7 },
    ...{ on: true, count: 1 },
  },
  thread: {
    ...{ type: 'thread', room_id, id: 1, changed_seq: 6 },
    thread: { replies: 1, last_seq: 5, last_at: created_at, people: [7] },
  },
  typing: { type: 'typing', room_id, ...person, is_typing: true },
  presence: { type: 'presence', room_id, online: 2, joined: [person], left: [], users: [person] },
  head: {
    type: 'head',
    room_id,
    from: 1,
    seq: 4,
    number: 4,
    room: roomInfo(1),
    last,
    texts: [[4, 8]],
    gone: [[2, 8]],
  },
  room: { type: 'room', ...entry, user_seq: 5 },
  gone: { type: 'gone', room_id, reason: 'removed', user_seq: 6 },
  me: { type: 'me', room_id, me, user_seq: 7 },
  inbox: {
    type: 'inbox',
    room_id,
    message_id: 7,
    seq: 5,
    reason: 'mention',
    created_at,
    removed: true,
    user_seq: 4,
  },
  saved: { type: 'saved', room_id, message_id: 7, note: 'later', removed: true, user_seq: 5 },
  thread_follow: { type: 'thread_follow', room_id, thread_id: 7, following: true, read_seq: 3, user_seq: 6 },
  notify: { type: 'notify', room_id, message_id: 7, reason: 'dm', title: 'bo', body: 'hi' },
  user: { type: 'user', user },
  people: { type: 'people', online: [7], offline: [8] },
  ack: { type: 'ack', room_id, cid: 'c', id: 1, seq: 1, created_at, duplicate: true },
  changed: { type: 'changed', room_id, id: 1, ref: 'r', changed_seq: 2 },
  error: {
    type: 'error',
    room_id,
    content: 'no',
    code: 'too_fast',
    cid: 'c',
    retryable: true,
    retry_after_ms: 5,
  },
  pong: { type: 'pong', t: 1.5 },
  restart: { type: 'restart', in_ms: 1000 },
};
/** Fields that may be missing. The client does not compute with the others that are not checked. */
const OPTIONAL = new Set([
  'hello.return_ticket',
  'rooms.unread',
  'message.cid',
  'message.changed_seq',
  'head.room',
  'head.last',
  'head.texts',
  'head.gone',
  'room.unread',
  'room.mentions',
  'room.thread_mentions',
  'error.room_id',
  'error.cid',
  'error.retry_after_ms',
  'presence.users',
]);
const UNCHECKED = new Set([
  'hello.protocol',
  'hello.username',
  'hello.server_time',
  'hello.heartbeat_ms',
  'gone.reason',
  'inbox.reason',
  'inbox.created_at',
  'inbox.removed',
  'saved.note',
  'saved.removed',
  'notify.reason',
  'ack.duplicate',
  // The SDK sends changes as requests.
  ...['changed.room_id', 'changed.id', 'changed.ref', 'changed.changed_seq'],
  'pong.t',
]);

describe.each(Object.entries(FRAMES))('%s', (_, frame) => {
  test('is parsed as the protocol defines it', () => {
    expect(serverFrameV2.parse(frame)).toEqual(frame);
    expect(parseServerFrame(JSON.stringify(frame))).toEqual(frame);
  });

  test('may have unknown fields', () => {
    expect(parseServerFrame(JSON.stringify({ ...frame, later: true }))).not.toBeNull();
  });

  test('is null without a field that the client needs, or with one of another type', () => {
    for (const name of Object.keys(frame)) {
      const field = `${frame.type}.${name}`;
      if (UNCHECKED.has(field)) continue;
      const { [name]: _gone, ...others } = frame as Record<string, unknown>;
      expect([name, parseServerFrame(JSON.stringify(others)) !== null]).toEqual([name, OPTIONAL.has(field)]);
      expect([name, parseServerFrame(JSON.stringify({ ...frame, [name]: {} }))]).toEqual([name, null]);
    }
  });
});

test('anything but a frame is null', () => {
  const odd = [
    '{',
    '[]',
    'null',
    '"x"',
    '1',
    '{}',
    '{"type":1}',
    '{"type":"unheard"}',
    '{"type":"toString"}',
  ];
  for (const data of [...odd, new Uint8Array(2), undefined]) expect(parseServerFrame(data)).toBeNull();
});
