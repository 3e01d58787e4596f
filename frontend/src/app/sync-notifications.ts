import { messagesApi, type NotificationEvents } from '../../../client/index.ts';
import { askOnce, useAsking } from '../parts/notifications/asking.ts';
import { holdInSight, inOneTab, isInSight } from '../parts/notifications/in-sight.ts';
import { useNotices } from '../parts/notifications/notices.ts';
import { raise } from '../parts/notifications/raise.ts';
import { playSound } from '../parts/notifications/sound.ts';
import { chat } from '../stores/chat.ts';
import { notificationSettings } from '../stores/notification-settings.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { useRoute } from '../stores/route.ts';
import { type FlowPlace, hasRead } from '../stores/thread-marks.ts';
import { inboxUnread } from '../stores/unread.ts';

/** No other tab raises a notification of the same message within this time. */
const ONE_TAB_S = 10;

/**
 * Raises notifications in a browser that does not show their room, and counts on the icon of the app. What has been
 * read is closed by `syncPushes`. Returns the function that ends that.
 */
export function syncNotifications(): () => void {
  const { notifications, user } = chat();
  if (user === null) return () => {};
  const ends = [
    shareRoomInSight(user.id),
    notifications.on('notify', (notice) => void notify(user.id, notice).catch(() => {})),
    syncBadge(),
  ];
  return () => {
    for (const end of ends) end();
    useAsking.setState({ isAsking: false });
    useNotices.setState({ last: null });
  };
}

/** The other tabs of this browser see which room this one shows. */
function shareRoomInSight(userId: number): () => void {
  let end: () => void = () => {};
  let shown: number | null = null;
  const look = () => {
    const { route } = useRoute.getState();
    const hasEyes = document.visibilityState === 'visible' && document.hasFocus();
    const roomId = hasEyes && route.page === 'room' ? route.roomId : null;
    if (roomId === shown) return;
    end();
    shown = roomId;
    end = roomId === null ? () => {} : holdInSight(userId, roomId);
  };
  const controller = new AbortController();
  const { signal } = controller;
  document.addEventListener('visibilitychange', look, { signal });
  for (const event of ['focus', 'blur']) window.addEventListener(event, look, { signal });
  const unsubscribe = useRoute.subscribe(look);
  look();
  return () => {
    controller.abort();
    unsubscribe();
    end();
  };
}

async function notify(userId: number, notice: NotificationEvents['notify']): Promise<void> {
  const { room_id: roomId, message_id: messageId } = notice;
  if (await isInSight(userId, roomId)) return;
  const { title, body } = notice;
  // One tab at most is in front of the user.
  if (notice.reason !== 'all' && document.visibilityState === 'visible')
    useNotices.setState({ last: { id: messageId, title, body } });
  if (notice.reason !== 'all') askOnce();
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  await inOneTab(`notifies of ${messageId}`, ONE_TAB_S, async () => {
    const [settings, place] = await Promise.all([notificationSettings(), placeOf(roomId, messageId)]);
    if (place !== undefined && hasRead(roomId, place)) return;
    await raise(notice, place);
    if (settings.sound !== false) await playSound();
  });
}

/** Undefined: the message is gone, or the server away. The notification then stays until it is clicked. */
async function placeOf(roomId: number, messageId: number): Promise<FlowPlace | undefined> {
  const message = await messagesApi(chat().api.requests)
    .get(roomId, messageId)
    .catch(() => undefined);
  return message && { seq: message.seq, threadId: message.thread_id };
}

/** The unread entries of the inbox, on the icon of an installed app. */
function syncBadge(): () => void {
  if (!('setAppBadge' in navigator)) return () => {};
  let shown = 0;
  const show = async () => {
    const count = inboxUnread(useOwnRooms.getState().rooms);
    if (count === shown) return;
    shown = count;
    const isWanted = count > 0 && (await notificationSettings()).badge !== false;
    if (count !== shown) return;
    await (isWanted ? navigator.setAppBadge(count) : navigator.clearAppBadge());
  };
  const update = () => void show().catch(() => {});
  const unsubscribe = useOwnRooms.subscribe(update);
  update();
  return () => {
    unsubscribe();
    void navigator.clearAppBadge().catch(() => {});
  };
}
