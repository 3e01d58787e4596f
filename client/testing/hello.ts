import type { Room } from '../../protocol/rooms.ts';
import type { Frame } from '../connection/frames.ts';

/** A `hello` to user 7, without limits, and with these fields changed. */
export function helloFrame(change: Partial<Frame<'hello'>> = {}): Frame<'hello'> {
  return {
    type: 'hello',
    protocol: 2,
    user_id: 7,
    username: 'ann',
    epoch: 'e1',
    user_seq: 0,
    server_time: '',
    heartbeat_ms: 25_000,
    limits: { content: 4000, frame_bytes: 65_536, messages_per_second: 0, message_burst: 0 },
    ...change,
  };
}

export function roomInfo(id: number, change: Partial<Room> = {}): Room {
  return {
    id,
    kind: 'public',
    name: `room ${id}`,
    topic: '',
    description: '',
    emoji: null,
    hue: null,
    archived: false,
    settings: {},
    online: 1,
    seq: 0,
    number: 0,
    members: 1,
    ...change,
  };
}

/** The response to `open`, with these fields changed. */
export function openedFrame(change: Partial<Frame<'opened'>> = {}): Frame<'opened'> {
  const { room_id = 1, seq = 0 } = change;
  return {
    type: 'opened',
    room_id,
    seq,
    room: roomInfo(room_id, { seq }),
    online: 1,
    users: [{ user_id: 7, username: 'ann' }],
    resumed: false,
    ...change,
  };
}
