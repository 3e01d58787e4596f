import { screenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { unreadOf, useOwnRooms } from '../../stores/own-rooms.ts';
import { showToast } from '../../stores/toasts.ts';

/** Marks all rooms as read, and offers to undo that. */
export function readAll(): void {
  const { readAll: texts } = screenTexts();
  const { rooms } = useOwnRooms.getState();
  if (![...rooms.keys()].some((id) => unreadOf(rooms, id) > 0)) return;
  const undo = chat().rooms.markAllRead();
  showToast(texts.done, { label: texts.undo, run: undo });
}
