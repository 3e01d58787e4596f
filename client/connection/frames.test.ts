import { describe, expect, test } from 'vitest';
import { type ServerFrameOneRoom, serverFrameOneRoom } from '../../protocol/frames/one-room.ts';
import { type FrameType, parseServerFrame } from './frames.ts';

const person = { user_id: 7, username: 'ann' };
const message = {
  type: 'message',
  id: 1,
  room_id: 1,
  ...person,
  content: 'hi',
  created_at: '2026-01-01T00:00:00.000Z',
  seq: 1,
} as const;

/** One frame of each type, with every field that it may have. */
const FRAMES: { readonly [T in FrameType]: Extract<ServerFrameOneRoom, { type: T }> } = {
  hello: {
    type: 'hello',
    protocol: 2,
    room_id: 1,
    ...person,
    epoch: 'e',
    seq: 0,
    online: 1,
    users: [person],
    server_time: '2026-01-01T00:00:00.000Z',
    heartbeat_ms: 25_000,
    limits: { content: 4000, frame_bytes: 65_536, messages_per_second: 50, message_burst: 300 },
    resumed: false,
  },
  message: { ...message, cid: 'c' },
  ack: { type: 'ack', cid: 'c', id: 1, seq: 1, created_at: message.created_at, duplicate: true },
  batch: { type: 'batch', events: [message] },
  sync: { type: 'sync', seq: 0 },
  reset: { type: 'reset', seq: 0, epoch: 'e' },
  typing: { type: 'typing', room_id: 1, ...person, is_typing: true },
  join: { type: 'join', room_id: 1, ...person, online: 1 },
  leave: { type: 'leave', room_id: 1, ...person, online: 0 },
  presence: { type: 'presence', online: 2, joined: [person], left: [], users: [person] },
  pong: { type: 'pong', t: 1.5 },
  error: { type: 'error', content: 'no', code: 'too_fast', cid: 'c', retryable: true, retry_after_ms: 5 },
  restart: { type: 'restart', in_ms: 1000 },
};
const OPTIONAL = new Set([
  'message.cid',
  'error.cid',
  'ack.duplicate',
  'pong.t',
  'presence.users',
  'error.retry_after_ms',
]);

describe.each(Object.entries(FRAMES))('%s', (_, frame) => {
  test('is parsed as the protocol defines it', () => {
    expect(serverFrameOneRoom.parse(frame)).toEqual(frame);
    expect(parseServerFrame(JSON.stringify(frame))).toEqual(frame);
  });

  test('may have unknown fields', () => {
    expect(parseServerFrame(JSON.stringify({ ...frame, later: true }))).not.toBeNull();
  });

  test('is null without a required field, or with a field of another type', () => {
    for (const name of Object.keys(frame)) {
      const { [name]: _gone, ...others } = frame as Record<string, unknown>;
      const isOptional = OPTIONAL.has(`${frame.type}.${name}`);
      expect([name, parseServerFrame(JSON.stringify(others)) !== null]).toEqual([name, isOptional]);
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
