import { screenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { showToast } from '../../stores/toasts.ts';
import { type InboxEntry, isEntryRead, markOpened } from './inbox.ts';

/**
 * Marks entries as read, without a look at them, and offers to undo that. In a room of the user all before an entry is
 * read with it. In a thread, and in rooms that they are not in, a mark only rises: there is nothing to undo.
 */
export function markDone(entries: readonly InboxEntry[]): void {
  const { inbox } = screenTexts();
  const { rooms } = useOwnRooms.getState();
  const unread = entries.filter((entry) => !isEntryRead(entry));
  /** How far each room was read before, and is from now on. */
  const marks = new Map<number, { before: number; seq: number }>();
  for (const { message } of unread) {
    const before = message.thread_id === undefined ? rooms.get(message.room_id)?.readSeq : undefined;
    if (before === undefined) markOpened(message);
    else {
      const seq = Math.max(message.seq, marks.get(message.room_id)?.seq ?? 0);
      marks.set(message.room_id, { before, seq });
    }
  }
  for (const [roomId, { seq }] of marks) chat().rooms.markRead(roomId, seq);
  if (unread.length === 0) return;
  const undo = () => {
    for (const [roomId, { before }] of marks) chat().rooms.markUnread(roomId, before);
  };
  showToast(inbox.isDone(unread.length), marks.size === 0 ? undefined : { label: inbox.undo, run: undo });
}
