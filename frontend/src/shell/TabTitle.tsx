import { useEffect } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useRooms } from '../stores/rooms.ts';
import { useTotalUnread } from '../stores/unread.ts';

/**
 * The tab's title: what is unread, the room that is open, the name of the whole. It draws nothing, so that nothing else is
 * drawn anew when a message comes.
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
