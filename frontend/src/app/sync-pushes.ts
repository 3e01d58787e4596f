import { messagesApi } from '../../../client/index.ts';
import { devicePush } from '../parts/push/device-push.ts';
import { goneMessages } from '../parts/push/gone.ts';
import { isRead } from '../parts/push/is-read.ts';
import { chat } from '../stores/chat.ts';
import { localStore, pushKey } from '../stores/device.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { navigate } from '../stores/route.ts';
import { useThreadMarks } from '../stores/thread-marks.ts';

/** As in service-worker/notifications.ts. */
const SUBSCRIPTION_CHANGED = 'push subscription changed';
/** The list of rooms may change sixty times a second. */
const CLOSE_EVERY_MS = 1000;
/** Whether a message was deleted is a question to the server. */
const ASK_EVERY_MS = 15_000;

/**
 * Does for Web Push what only a page can: opens what a notification is about, closes notifications of what has been
 * read on any device or was deleted, and tells the server when the browser has changed its address. Returns the
 * function that ends that.
 */
export function syncPushes(): () => void {
  const userId = chat().user?.id;
  const { serviceWorker } = navigator;
  if (userId === undefined || serviceWorker === undefined) return () => {};
  const push = devicePush(userId);
  // When the server or the push service is away, the next page does it.
  const renew = () => void push.renew().catch(() => {});
  const receive = ({ data }: MessageEvent<unknown>) => {
    if (data === SUBSCRIPTION_CHANGED) renew();
    else if (isOpenRequest(data)) navigate(data.path);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const closeRead = () => {
    timer = undefined;
    void push.close(isRead).catch(() => {});
  };
  const closeReadSoon = () => {
    timer ??= setTimeout(closeRead, CLOSE_EVERY_MS);
  };
  const isGone = goneMessages(messagesApi(chat().api.requests).get);
  let asking: ReturnType<typeof setTimeout> | undefined;
  const closeGone = () => {
    asking = undefined;
    void push.close(({ path }) => isGone(path, useOwnRooms.getState().rooms)).catch(() => {});
  };
  const endWithdrawn = chat().notifications.on('inbox', ({ room_id: roomId, seq, removed }) => {
    if (removed)
      void push.close((shown) => shown.tag === `room ${roomId}` && shown.seq === seq).catch(() => {});
  });
  const unsubscribe = useOwnRooms.subscribe(({ rooms }, before) => {
    if (rooms === before.rooms) return;
    closeReadSoon();
    asking ??= setTimeout(closeGone, ASK_EVERY_MS);
  });
  const unsubscribeThreads = useThreadMarks.subscribe(closeReadSoon);
  serviceWorker.addEventListener('message', receive);
  renew();
  closeGone();
  return () => {
    clearTimeout(timer);
    clearTimeout(asking);
    endWithdrawn();
    unsubscribe();
    unsubscribeThreads();
    serviceWorker.removeEventListener('message', receive);
    // Signing out has deleted the flag. A session that merely expired keeps it.
    if (chat().user === null && localStore.getItem(pushKey(userId)) === null)
      void push.forget().catch(() => {});
  };
}

function isOpenRequest(data: unknown): data is { path: string } {
  const request = data as { type?: unknown; path?: unknown } | null;
  return request?.type === 'open' && typeof request.path === 'string';
}
