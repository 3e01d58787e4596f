/** The menu of one message, or the emoji to react with. */
import { create } from 'zustand';
import type { Message } from '../../../../client/index.ts';

export interface OpenMenu {
  readonly message: Message;
  /** It opens beside this; null: at the lower edge of a phone. */
  readonly anchor: HTMLElement | null;
  readonly view: 'menu' | 'emoji';
}

interface MessageMenuStore {
  readonly open: OpenMenu | null;
}

export const useMessageMenu = create<MessageMenuStore>(() => ({ open: null }));

export function showMessageMenu(open: OpenMenu): void {
  useMessageMenu.setState({ open });
}

export function closeMessageMenu(): void {
  useMessageMenu.setState({ open: null });
}
