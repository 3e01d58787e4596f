import type { Message } from '../../../../client/index.ts';
import { messagePath, threadPath } from '../../stores/route.ts';

/** The address of a message that was found. A reply is read in its thread. */
export function hitPath({ id, room_id: roomId, thread_id: threadId }: Message): string {
  return threadId === undefined ? messagePath(roomId, id) : threadPath(roomId, threadId, id);
}

/** Where the timeline shows it: a reply stands behind the root of its thread. */
export function timelinePath({ id, room_id: roomId, thread_id: threadId }: Message): string {
  return messagePath(roomId, threadId ?? id);
}
