/** Notifications on this device while no page is open (Web Push). */
import type { KeyValueStorage } from '../../../../client/index.ts';
import { localStore, pushKey } from '../../stores/device.ts';
import { type PushApi, pushRequests } from '../../stores/push-requests.ts';

/**
 * - `on`, `off`: for this user on this device.
 * - `blocked`: the user has refused the permission. Only the browser's own settings change that.
 * - `install_first`: iOS has them for installed web apps only ("Add to Home Screen").
 * - `unsupported`: the browser has none, or the page did not come over HTTPS.
 */
export type PushState = 'on' | 'off' | 'blocked' | 'install_first' | 'unsupported';

/** The browser, as far as notifications are concerned. */
export interface PushBrowser {
  /** Undefined where there are no notifications. */
  readonly permission: NotificationPermission | undefined;
  readonly isUninstalledOnIos: boolean;
  requestPermission(): Promise<NotificationPermission>;
  /** Undefined while there is no service worker. */
  registration(): Promise<PushRegistration | undefined>;
}

/** The parts of a `ServiceWorkerRegistration` that are used. */
export interface PushRegistration {
  readonly pushManager: Pick<PushManager, 'getSubscription' | 'subscribe'>;
  getNotifications(): Promise<Pick<Notification, 'tag' | 'data' | 'close'>[]>;
}

/** A notification on the screen. `seq`, `threadId` and `path` are of its message. */
export interface Shown {
  tag: string;
  seq: number | undefined;
  threadId: number | undefined;
  path: string;
}

export interface DevicePush {
  state(): PushState;
  /**
   * Asks for the permission, subscribes, and tells the server. Call it from a click, before anything else is awaited:
   * browsers ask at no other time. Returns the new state. Rejects with an `ApiError`, or with the browser's error when
   * its push service cannot be reached; the state is then what it was.
   */
  turnOn(): Promise<PushState>;
  /** Notifications end on this device, even when the server cannot be told: then it rejects with an `ApiError`. */
  turnOff(): Promise<void>;
  /**
   * Tells the server about this device once more, if notifications are on. The browser may have changed its address.
   */
  renew(): Promise<void>;
  /** Closes the notifications that are shown and for which `isOver` is true. */
  close(isOver: (shown: Shown) => boolean | Promise<boolean>): Promise<void>;
  /** After a sign-out: nothing of the user is shown any more, or arrives. */
  forget(): Promise<void>;
}

export function devicePush(
  userId: number,
  api: PushApi = pushRequests(),
  browser: PushBrowser = thisBrowser,
  store: KeyValueStorage = localStore,
): DevicePush {
  const flag = pushKey(userId);

  function state(): PushState {
    const { permission, isUninstalledOnIos } = browser;
    if (permission === undefined) return isUninstalledOnIos ? 'install_first' : 'unsupported';
    if (permission === 'denied') return 'blocked';
    return permission === 'granted' && store.getItem(flag) !== null ? 'on' : 'off';
  }

  async function subscribe(): Promise<void> {
    const [key, registration] = [await api.key(), await browser.registration()];
    if (registration === undefined) throw new Error('there is no service worker');
    const { pushManager } = registration;
    let subscription = await pushManager.getSubscription();
    if (subscription && keyOf(subscription) !== key) {
      // Of another server that was at this address before. A browser has one subscription at a time.
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    await api.subscribe({
      endpoint: endpoint ?? '',
      keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    });
  }

  async function unsubscribe(): Promise<string | undefined> {
    const subscription = await (await browser.registration())?.pushManager.getSubscription();
    await subscription?.unsubscribe();
    return subscription?.endpoint;
  }

  async function close(isOver: Parameters<DevicePush['close']>[0]): Promise<void> {
    if (browser.permission !== 'granted') return;
    const shown = (await (await browser.registration())?.getNotifications()) ?? [];
    for (const notification of shown) {
      const data = notification.data as { seq?: number; threadId?: number; path?: string } | null;
      const { tag } = notification;
      const { seq, threadId, path = '' } = data ?? {};
      if (await isOver({ tag, seq, threadId, path })) notification.close();
    }
  }

  return {
    state,
    turnOn: async () => {
      if ((await browser.requestPermission()) !== 'granted') return state();
      await subscribe();
      store.setItem(flag, '1');
      return state();
    },
    turnOff: async () => {
      store.removeItem(flag);
      const endpoint = await unsubscribe();
      if (endpoint !== undefined) await api.unsubscribe(endpoint);
    },
    renew: async () => {
      if (state() === 'on') await subscribe();
    },
    close,
    forget: async () => {
      store.removeItem(flag);
      await close(() => true);
      await unsubscribe();
    },
  };
}

/** The server key of a subscription, as base64url. */
function keyOf({ options }: PushSubscription): string | undefined {
  if (options.applicationServerKey === null) return undefined;
  const bytes = String.fromCharCode(...new Uint8Array(options.applicationServerKey));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const thisBrowser: PushBrowser = {
  get permission() {
    const isThere =
      'Notification' in window && 'PushManager' in window && navigator.serviceWorker !== undefined;
    return isThere ? Notification.permission : undefined;
  },
  get isUninstalledOnIos() {
    return 'standalone' in navigator && navigator.standalone === false;
  },
  requestPermission: () => Notification.requestPermission(),
  registration: () => navigator.serviceWorker.getRegistration(),
};
