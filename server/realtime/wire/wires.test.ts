/**
 * What each protocol sends and accepts. The strings of `chatroom.v1` are frozen: this test holds them byte for byte.
 */
import { describe, expect, it } from 'vitest';
import { serverFrameOneRoom } from '../../../protocol/frames/one-room.ts';
import { serverFrameV1 } from '../../../protocol/frames/v1.ts';
import { wireOneRoom } from './one-room.ts';
import { encodeMessage } from './shared-frames.ts';
import { wireV1 } from './v1.ts';
import type { Entry, OneRoomWire } from './wire.ts';

const ann = { user_id: 7, username: 'ann' };
const row = {
  ...{ id: 5, roomId: 3, seq: 4, userId: 7, username: 'ann', content: 'hi "all"', createdAt: 0 },
  ...{ cid: null, changedSeq: 4, notice: null },
};
const entry: Entry = {
  ...{ roomId: 3, person: ann, online: 2, users: () => [ann], epoch: 'e', head: 4, resumed: false },
  messageLimit: { perSecond: 50, burst: 300 },
};

/** Everything that a wire can send. */
function everyFrame(wire: OneRoomWire): (string | null)[] {
  const change = { roomId: 3, person: ann, online: 2 };
  return [
    wire.entered(entry),
    wire.message(encodeMessage(row)),
    wire.message(encodeMessage({ ...row, cid: 'c' })),
    wire.presenceChange({ kind: 'join', ...change }),
    wire.presenceChange({ kind: 'leave', ...change }),
    wire.presenceSummary({ roomId: 3, online: 2, joined: [ann], left: [] }),
    wire.presenceState(entry),
    wire.typing({ roomId: 3, userId: 7, username: 'ann', isTyping: true }),
    wire.ack({ roomId: 3, cid: 'c', id: 5, seq: 4, createdAt: 0, duplicate: false }),
    wire.pong('t'),
    wire.error({ code: 'too_fast', cid: 'c', retryAfterMs: 20 }),
    wire.restart(1000),
    wire.resume?.batch(3, [encodeMessage(row).json]) ?? null,
    wire.resume?.sync(3, 4) ?? null,
    wire.resume?.reset(3, 4, 'e') ?? null,
  ];
}

describe('chatroom.v1', () => {
  it('sends exactly the frames of the base protocol, byte for byte', () => {
    const message =
      '{"type":"message","id":5,"room_id":3,"user_id":7,"username":"ann","content":"hi \\"all\\"","created_at":"1970-01-01T00:00:00.000Z","seq":4}';
    const join = '{"type":"join","room_id":3,"user_id":7,"username":"ann","online":2}';
    expect(everyFrame(wireV1).filter((json) => json !== null)).toEqual([
      join,
      message,
      message,
      join,
      '{"type":"leave","room_id":3,"user_id":7,"username":"ann","online":2}',
      join,
      '{"type":"typing","room_id":3,"user_id":7,"username":"ann","is_typing":true}',
      '{"type":"pong"}',
      '{"type":"error","content":"too fast, slow down"}',
    ]);
  });

  it('ignores the fields of v2 in what it receives', () => {
    expect(wireV1.parse('{"type":"message","content":"x","cid":"c"}')).toEqual({
      type: 'message',
      content: 'x',
    });
    expect(wireV1.parse('{"type":"ping","t":1}')).toEqual({ type: 'ping' });
  });
});

describe('chatroom.v2', () => {
  it('has a frame for everything', () => {
    expect(everyFrame(wireOneRoom)).not.toContain(null);
  });

  it('sends a message with its cid', () => {
    expect(wireOneRoom.message(encodeMessage({ ...row, cid: 'c' }))).toContain('"cid":"c"');
  });
});

describe.each([
  ['chatroom.v1', wireV1, serverFrameV1],
  ['chatroom.v2', wireOneRoom, serverFrameOneRoom],
] as const)('%s', (_, wire, schema) => {
  it('sends frames of its schema only', () => {
    for (const json of everyFrame(wire)) {
      if (json !== null) expect(schema.safeParse(JSON.parse(json)).error).toBeUndefined();
    }
  });

  it.each([
    ['rubbish', 'invalid_json'],
    ['[]', 'invalid_json'],
    ['null', 'invalid_json'],
    ['{"type":"dance"}', 'unknown_type'],
    ['{"type":"toString"}', 'unknown_type'],
    ['{"type":"message","content":" "}', 'invalid_content'],
    ['{"type":"typing","is_typing":1}', 'invalid_frame'],
  ])('refuses %s: %s', (text, refused) => {
    expect(wire.parse(text)).toEqual({ refused });
  });

  it('names the cid of the message that it refuses', () => {
    expect(wire.parse('{"type":"message","content":"","cid":"c"}')).toEqual({
      refused: 'invalid_content',
      cid: 'c',
    });
  });
});
