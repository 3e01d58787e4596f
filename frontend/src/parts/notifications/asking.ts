/** When to ask whether notifications are wanted: after the first message that notifies, once on each device. */
import { create } from 'zustand';
import { chat } from '../../stores/chat.ts';
import { localStore } from '../../stores/device.ts';

export const useAsking = create<{ readonly isAsking: boolean }>(() => ({ isAsking: false }));

function keyOf(userId: number): string {
  return `chat_asked:${userId}`;
}

export function askOnce(): void {
  const userId = chat().user?.id;
  const canAsk = 'Notification' in window && Notification.permission === 'default';
  if (userId === undefined || !canAsk || localStore.getItem(keyOf(userId)) !== null) return;
  useAsking.setState({ isAsking: true });
}

export function answered(): void {
  const userId = chat().user?.id;
  if (userId !== undefined) localStore.setItem(keyOf(userId), '1');
  useAsking.setState({ isAsking: false });
}
