import type { Message } from '../../../../client/index.ts';
import { useRoom } from '../../stores/room.ts';
import { useThreads } from '../../stores/threads.ts';

/** The message that a row of the room or of the thread shows. */
export function messageOf(row: Element): Message | undefined {
  return heldMessage(Number(row.getAttribute('data-message-id')));
}

/** The message of the open room, or of the open thread. */
export function heldMessage(id: number | null): Message | undefined {
  const { state } = useRoom.getState();
  const { open } = useThreads.getState();
  const held = [state?.detached?.messages, state?.messages, state?.acked, open?.messages];
  return held.flatMap((messages) => messages ?? []).find((message) => message.id === id);
}
