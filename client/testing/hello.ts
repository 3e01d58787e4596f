import type { Frame } from '../connection/frames.ts';

/** A `hello` of room 1 to user 7, without limits, and with these fields changed. */
export function helloFrame(change: Partial<Frame<'hello'>> = {}): Frame<'hello'> {
  return {
    type: 'hello',
    protocol: 2,
    room_id: 1,
    user_id: 7,
    username: 'ann',
    epoch: 'e1',
    seq: 0,
    online: 1,
    users: [{ user_id: 7, username: 'ann' }],
    server_time: '',
    heartbeat_ms: 25_000,
    limits: { content: 4000, frame_bytes: 65_536, messages_per_second: 0, message_burst: 0 },
    resumed: false,
    ...change,
  };
}
