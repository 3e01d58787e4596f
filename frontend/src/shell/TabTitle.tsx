import { useEffect } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { isRoomGone, useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';
import { iconPath, useServerIcon } from '../stores/server-icon.ts';
import { useServerName } from '../stores/server-name.ts';
import { useTotalUnread } from '../stores/unread.ts';
import { showTabIcon } from './tab-icon.ts';

/**
 * The tab's title and icon: the unread count, the open room and its door, the server and its mark. It renders
 * nothing, so a new message renders nothing else again.
 */
export function TabTitle({ roomId }: { readonly roomId: number | null }) {
  const text = useText();
  const serverName = useServerName() ?? text.appName;
  const icon = useServerIcon();
  const isGone = useRoom(isRoomGone);
  const room = useRooms(({ rooms }) => (isGone ? undefined : rooms.find(({ id }) => id === roomId)));
  const { name, emoji = null, hue = null } = room ?? {};
  const unread = useTotalUnread();
  const isNews = unread > 0;

  useEffect(() => {
    const parts = [name, serverName].filter((part) => part !== undefined).join(' · ');
    document.title = unread > 0 ? `(${text.sidebar.badge(unread)}) ${parts}` : parts;
  }, [name, unread, serverName, text]);

  useEffect(() => {
    const mark = icon === undefined ? undefined : iconPath(icon);
    showTabIcon(roomId === null || name === undefined ? null : { roomId, name, emoji, hue, isNews }, mark);
  }, [roomId, name, emoji, hue, isNews, icon]);

  useEffect(() => {
    return () => {
      document.title = text.appName;
      showTabIcon(null);
    };
  }, [text]);

  return null;
}
