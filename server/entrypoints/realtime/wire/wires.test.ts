/**
 * What each protocol sends and accepts. The strings of `chatroom.v1` are frozen: this test holds them byte for byte.
 */
import { describe, expect, it } from 'vitest';
import { serverFrameV1 } from '../../../../protocol/frames/v1.ts';
import { serverFrameV2 } from '../../../../protocol/frames/v2.ts';
import type { MessageRow } from '../../../data/storage/store.ts';
import { encodeMessage } from './shared-frames.ts';
import { wireV1 } from './v1.ts';
import { encodeBatch, encodeRooms, lineWire, wireInSight, wireOpen } from './v2.ts';
import type { LiveMessage, RoomView, RoomWire, SocketWire } from './wire.ts';

const ann = { user_id: 7, username: 'ann' };
const row = {
  id: 5,
  roomId: 3,
  seq: 4,
  userId: 7,
  username: 'ann',
  content: 'hi "all"',
  createdAt: 0,
  cid: null,
  changedSeq: 4,
  notice: null,
  facts: null,
};
const PLAIN = {
  revision: 0,
  editedAt: null,
  deletedAt: null,
  deletedBy: null,
  pinnedAt: null,
  threadId: null,
  extra: null,
};
const view: RoomView = { roomId: 3, person: ann, online: 2, users: () => [ann] };

/** As it is sent to live seats. */
function live(message: MessageRow, { isNew = true, isAfterGap = false } = {}): LiveMessage {
  return { ...encodeMessage(message), isNew, isAfterGap };
}

/** Everything that a wire can send. */
function everyFrame(room: RoomWire, socket: SocketWire): (string | null)[] {
  return [...roomFrames(room), ...socketFrames(socket)];
}

function roomFrames(wire: RoomWire): (string | null)[] {
  const change = { roomId: 3, person: ann, online: 2 };
  return [
    wire.message(live(row)),
    wire.message(live({ ...row, cid: 'c' })),
    wire.presenceChange({ kind: 'join', ...change }),
    wire.presenceChange({ kind: 'leave', ...change }),
    wire.presenceSummary({ roomId: 3, online: 2, joined: [ann], left: [] }),
    wire.presenceState(view),
    wire.typing({ roomId: 3, userId: 7, username: 'ann', isTyping: true }),
  ];
}

function socketFrames(wire: SocketWire): (string | null)[] {
  return [
    wire.ack({ roomId: 3, cid: 'c', id: 5, seq: 4, createdAt: 0, duplicate: false }),
    wire.pong('t'),
    wire.error({ code: 'too_fast', cid: 'c', retryAfterMs: 20 }),
    wire.restart(1000),
  ];
}

describe('chatroom.v1', () => {
  it('sends exactly the frames of the base protocol, byte for byte', () => {
    const message =
      '{"type":"message","id":5,"room_id":3,"user_id":7,"username":"ann","content":"hi \\"all\\"","created_at":"1970-01-01T00:00:00.000Z","seq":4}';
    const join = '{"type":"join","room_id":3,"user_id":7,"username":"ann","online":2}';
    const frames = [wireV1.entered(view), ...everyFrame(wireV1, wireV1)];
    expect(frames.filter((json) => json !== null)).toEqual([
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

  it('sends a text once: as it is now, when it has changed before it came', () => {
    const facts = { ...PLAIN, revision: 1, editedAt: 1, extra: '{"mentions":[7]}' };
    const changed = { ...row, changedSeq: 6, facts };
    expect(wireV1.message(live(changed, { isNew: true }))).toBe(wireV1.message(live(row)));
    expect(wireV1.message(live(changed, { isNew: false }))).toBeNull();
    const reaction = { emoji: '🦊', userId: 7, on: true, count: 1 };
    expect(wireV1.message(live({ ...changed, reaction }, { isNew: false }))).toBeNull();
  });

  it('never sends a text that was deleted before it came', () => {
    const deleted = { ...row, content: '', changedSeq: 6, facts: { ...PLAIN, deletedAt: 1, deletedBy: 7 } };
    expect(wireV1.message(live(deleted))).toBeNull();
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
    expect(everyFrame(wireInSight, lineWire)).not.toContain(null);
  });

  it('sends no presence and no typing of a room that is not in sight', () => {
    const sent = roomFrames(wireOpen).filter((json) => json !== null);
    expect(sent.map((json) => JSON.parse(json).type)).toEqual(['message', 'message']);
  });

  it('sends a message with its cid', () => {
    expect(wireOpen.message(live({ ...row, cid: 'c' }))).toContain('"cid":"c"');
  });

  it('sends a message in a batch when numbers just before it were superseded', () => {
    const { json } = encodeMessage(row);
    expect(wireOpen.message(live(row, { isAfterGap: true }))).toBe(encodeBatch(3, [json]));
    expect(wireOpen.message(live(row))).toBe(json);
  });

  it('sends a change as the present state, and a reaction as itself', () => {
    const facts = {
      revision: 1,
      editedAt: 1,
      deletedAt: 2,
      deletedBy: 7,
      pinnedAt: 3,
      threadId: 2,
      extra: null,
    };
    const changed = JSON.parse(wireOpen.message(live({ ...row, changedSeq: 6, facts })) ?? '');
    expect(serverFrameV2.parse(changed)).toMatchObject({
      type: 'message',
      changed_seq: 6,
      revision: 1,
      deleted_by: 7,
      thread_id: 2,
      edited_at: '1970-01-01T00:00:00.001Z',
      pinned_at: '1970-01-01T00:00:00.003Z',
    });
    const reacted = { ...row, changedSeq: 7, reaction: { emoji: '🦊', userId: 8, on: true, count: 2 } };
    const frame = JSON.parse(wireOpen.message(live(reacted, { isNew: false })) ?? '');
    expect(serverFrameV2.parse(frame)).toEqual({
      type: 'reaction',
      room_id: 3,
      id: 5,
      changed_seq: 7,
      emoji: '🦊',
      user_id: 8,
      on: true,
      count: 2,
    });
  });

  it('joins the rooms of a list as they are', () => {
    for (const frame of [{ complete: false }, { complete: true }, { complete: true, more: true }]) {
      const parsed = serverFrameV2.parse(JSON.parse(encodeRooms([], frame)));
      expect(parsed).toEqual({ type: 'rooms', rooms: [], ...frame });
    }
  });

  it('joins the events of a batch as they are', () => {
    const batch = JSON.parse(encodeBatch(3, [encodeMessage(row).json]));
    expect(serverFrameV2.safeParse(batch).error).toBeUndefined();
  });
});

describe.each([
  ['chatroom.v1', wireV1, wireV1, serverFrameV1, ''],
  ['chatroom.v2', wireInSight, lineWire, serverFrameV2, ',"room_id":3'],
] as const)('%s', (_, room, wire, schema, inRoom) => {
  it('sends frames of its schema only', () => {
    for (const json of everyFrame(room, wire)) {
      if (json !== null) expect(schema.safeParse(JSON.parse(json)).error).toBeUndefined();
    }
  });

  it.each([
    ['rubbish', 'invalid_json'],
    ['[]', 'invalid_json'],
    ['null', 'invalid_json'],
    ['{"type":"dance"}', 'unknown_type'],
    ['{"type":"toString"}', 'unknown_type'],
    [`{"type":"message","content":" "${inRoom}}`, 'invalid_content'],
    [`{"type":"typing","is_typing":1${inRoom}}`, 'invalid_frame'],
  ])('refuses %s: %s', (text, refused) => {
    expect(wire.parse(text)).toMatchObject({ refused });
  });

  it('names the cid of the message that it refuses', () => {
    const refused = wire.parse(`{"type":"message","content":"","cid":"c"${inRoom}}`);
    expect(refused).toMatchObject({ refused: 'invalid_content', cid: 'c' });
  });
});
