/** The message of the contenders that store nothing: it has the fields of Roomful's, and is numbered in memory. */
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
