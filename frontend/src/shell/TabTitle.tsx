import { useEffect, useLayoutEffect } from 'react';
import { showWindowHue } from '../app/window-hue.ts';
import { useText } from '../i18n/catalogue.ts';
import { isRoomGone, useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';
import { useTotalUnread } from '../stores/unread.ts';
import { showTabIcon } from './tab-icon.ts';

/**
 * The tab's title and icon, and the hue of the window: the unread count, the open room and its door, the application and its mark. It renders
 * nothing, so a new message renders nothing else again.
 */
export function TabTitle({ roomId }: { readonly roomId: number | null }) {
  const text = useText();
  const isGone = useRoom(isRoomGone);
  const room = useRooms(({ rooms }) => (isGone ? undefined : rooms.find(({ id }) => id === roomId)));
  const { name, emoji = null, hue = null } = room ?? {};
  const unread = useTotalUnread();
  const isNews = unread > 0;

  useEffect(() => {
    const parts = [name, text.appName].filter((part) => part !== undefined).join(' · ');
    document.title = unread > 0 ? `(${text.sidebar.badge(unread)}) ${parts}` : parts;
  }, [name, unread, text]);

  useEffect(() => {
    showTabIcon(roomId === null || name === undefined ? null : { roomId, name, emoji, hue, isNews });
  }, [roomId, name, emoji, hue, isNews]);

  // Before the paint. A room that is not known yet leaves the hue as it is.
  const { kind, id } = room ?? {};
  useLayoutEffect(() => {
    if (roomId === null) showWindowHue(null);
    else if (id !== undefined && kind !== undefined) showWindowHue({ id, kind, hue });
  }, [roomId, id, kind, hue]);

  useEffect(() => {
    return () => {
      document.title = text.appName;
      showTabIcon(null);
      showWindowHue(null);
    };
  }, [text]);

  return null;
}
