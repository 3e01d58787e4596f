import { create } from 'zustand';
import type { Message } from '../../../client/index.ts';

/** The message that the next text answers; null: it answers none. */
export const useAnswering = create<{ readonly message: Message | null }>(() => ({ message: null }));

/** Takes what the next text of the room answers, once. */
export function takeAnswered(roomId: number): number | undefined {
  const { message } = useAnswering.getState();
  if (message?.room_id !== roomId) return undefined;
  useAnswering.setState({ message: null });
  return message.id;
}
