import type { Message } from '../../../../client/index.ts';
import { messagePath, threadPath } from '../../stores/route.ts';

/** The address of a message that was found. A reply is read in its thread. */
export function hitPath({ id, room_id: roomId, thread_id: threadId }: Message): string {
  return threadId === undefined ? messagePath(roomId, id) : threadPath(roomId, threadId, id);
}
