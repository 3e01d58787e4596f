import { useEffect } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useRooms } from '../stores/rooms.ts';
import { useTotalUnread } from '../stores/unread.ts';

/**
 * The tab's title: the unread count, the open room, the application. It renders nothing, so a new message renders
 * nothing else again.
 */
export function TabTitle({ roomId }: { readonly roomId: number | null }) {
  const text = useText();
  const name = useRooms(({ rooms }) => rooms.find((room) => room.id === roomId)?.name);
  const unread = useTotalUnread();

  useEffect(() => {
    const parts = [name, text.appName].filter((part) => part !== undefined).join(' · ');
    document.title = unread > 0 ? `(${text.sidebar.badge(unread)}) ${parts}` : parts;
  }, [name, unread, text]);

  useEffect(() => {
    return () => {
      document.title = text.appName;
    };
  }, [text]);

  return null;
}
