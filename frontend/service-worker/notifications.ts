/** Notifications that come by Web Push, while no page may be open. */

/** What a push message has, as in protocol/rest/push.ts. */
interface Pushed {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly tag: string;
  readonly seq?: number;
  readonly thread_id?: number;
}

/** What a notification keeps, for the click on it and for the page that closes it. */
interface NotificationData {
  readonly path: string;
  /** Of the message. */
  readonly seq: number | undefined;
  /** The thread in which the message is a reply. */
  readonly threadId: number | undefined;
}

/** The worker asks a page to show this address of the client. */
interface OpenRequest {
  readonly type: 'open';
  readonly path: string;
}

/** The browser has replaced its push subscription: a page has to tell the server. */
const SUBSCRIPTION_CHANGED = 'push subscription changed';

declare const self: ServiceWorkerGlobalScope;

const ICON = '/icons/icon-192.png';
const FALLBACK: Pushed = { title: 'Roomful', body: '', url: '/', tag: 'roomful' };

export function handlePushes(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
  self.addEventListener('notificationclick', (event) => event.waitUntil(open(event.notification)));
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));
}

/** Every push shows a notification. Safari withdraws the permission of a page whose pushes show none. */
async function show(message: PushMessageData | null): Promise<void> {
  const { title, body, url, tag, seq, thread_id: threadId } = read(message);
  const data: NotificationData = { path: pathOf(url), seq, threadId };
  // Without `renotify`, a browser replaces the notification of a room without a sound.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    tag,
    icon: ICON,
    data,
    renotify: true,
  };
  await self.registration.showNotification(title, options);
}

function read(message: PushMessageData | null): Pushed {
  try {
    return { ...FALLBACK, ...(message?.json() as Partial<Pushed> | undefined) };
  } catch {
    return FALLBACK;
  }
}

/** The path of an address of this client; `/` for any other. */
function pathOf(url: string): string {
  if (!URL.canParse(url, self.location.origin)) return '/';
  const { origin, pathname } = new URL(url, self.location.origin);
  return origin === self.location.origin ? pathname : '/';
}

/** Shows the address in the window that was used last, or in a new one. */
async function open(notification: Notification): Promise<void> {
  notification.close();
  const { path } = notification.data as NotificationData;
  const [window] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (window === undefined) return void (await self.clients.openWindow(path));
  window.postMessage({ type: 'open', path } satisfies OpenRequest);
  await window.focus();
}

/** Subscribes anew, for the same server key. Only a page can tell the server, because the worker has no session. */
async function renew({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const options = oldSubscription?.options;
  if (!newSubscription && options) {
    const { applicationServerKey } = options;
    await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  }
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const window of windows) window.postMessage(SUBSCRIPTION_CHANGED);
}
