/** What the contenders that keep nothing send for a message: the same fields as Roomful's, numbered in memory. */
import type { Message } from '../../protocol/events.ts';

let lastId = 0;
const seqs = new Map<number, number>();

export function nextMessage(roomId: number, content: string): Message {
  lastId++;
  const seq = (seqs.get(roomId) ?? 0) + 1;
  seqs.set(roomId, seq);
  return {
    type: 'message',
    id: lastId,
    room_id: roomId,
    user_id: 1,
    username: 'bench-1',
    content,
    created_at: new Date().toISOString(),
    seq,
  };
}
