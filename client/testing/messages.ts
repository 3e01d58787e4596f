/** A room's log, as tests make it up. */
import type { Message } from '../../protocol/events.ts';

export const ROOM = 1;
/** The user of the clients under test. */
export const ME = { id: 7, username: 'ann' };
export const BO = { user_id: 8, username: 'bo' };

/** The room's log: message n has seq n and id 10 n. */
export function message(seq: number, change: Partial<Message> = {}): Message {
  return {
    type: 'message',
    id: seq * 10,
    room_id: ROOM,
    ...BO,
    content: `m${seq}`,
    created_at: new Date(seq).toISOString(),
    seq,
    ...change,
  };
}

export const own = (seq: number, cid: string) => message(seq, { user_id: ME.id, username: ME.username, cid });
export const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => message(from + i));
