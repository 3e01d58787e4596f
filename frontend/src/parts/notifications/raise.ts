/** Raises one desktop notification. */
import type { NotificationEvents } from '../../../../client/index.ts';
import { messagePath, navigate } from '../../stores/route.ts';
import type { FlowPlace } from '../../stores/thread-marks.ts';

const ICON = '/icons/icon-192.png';

/** `place`: of the message, for the page that closes what has been read. */
export async function raise(
  notice: NotificationEvents['notify'],
  place: FlowPlace | undefined,
): Promise<void> {
  const { room_id: roomId, message_id: messageId, title, body } = notice;
  const path = messagePath(roomId, messageId);
  // With `renotify`, a browser that replaces the notification of the room shows it anew. A sound is ours to play.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    icon: ICON,
    tag: `room ${roomId}`,
    data: { path, ...place },
    renotify: true,
    silent: true,
  };
  // Those of the service worker outlive the page, and a push about the same room replaces them.
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) return await registration.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    notification.close();
    navigate(path);
  };
}
