import { beforeEach, describe, expect, test } from 'vitest';
import { ApiError, type ListedRoom, memoryStorage } from '../../../../client/index.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import type { PushApi } from '../../stores/push-requests.ts';
import { useThreadMarks } from '../../stores/thread-marks.ts';
import { type DevicePush, devicePush, type PushBrowser } from './device-push.ts';
import { goneMessages } from './gone.ts';
import { isRead } from './is-read.ts';

const USER = 7;
/** 65 bytes, of which base64 would have `+` and `/`. */
const SERVER_KEY = btoa(String.fromCharCode(4, ...Array.from({ length: 64 }, (_, index) => 255 - index)))
  .replaceAll('+', '-')
  .replaceAll('/', '_')
  .replace(/=+$/, '');

/** A browser's subscription to a push service. */
class Subscription {
  readonly endpoint: string;
  readonly options: { applicationServerKey: ArrayBuffer };
  readonly #end: () => void;

  constructor(endpoint: string, key: string, end: () => void) {
    this.endpoint = endpoint;
    const bytes = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
    this.options = { applicationServerKey: Uint8Array.from(bytes, (char) => char.charCodeAt(0)).buffer };
    this.#end = end;
  }

  toJSON() {
    return { endpoint: this.endpoint, keys: { p256dh: 'p256dh', auth: 'auth' } };
  }

  async unsubscribe() {
    this.#end();
    return true;
  }
}

let permission: NotificationPermission | undefined;
/** What the user responds when asked. */
let response: NotificationPermission;
let questions: number;
let subscription: Subscription | null;
let subscriptions: number;
let isPushServiceAway: boolean;
let shown: { tag: string; data: unknown; close(): void }[];
/** What the server has. */
let endpoints: Set<string>;
let isServerAway: boolean;
let push: DevicePush;

const browser: PushBrowser = {
  get permission() {
    return permission;
  },
  isUninstalledOnIos: false,
  requestPermission: async () => {
    questions++;
    permission = response;
    return response;
  },
  registration: async () => ({
    pushManager: {
      getSubscription: async () => subscription as PushSubscription | null,
      subscribe: async (options) => {
        if (isPushServiceAway) throw new DOMException('push service error', 'AbortError');
        subscription ??= new Subscription(
          `endpoint ${++subscriptions}`,
          String(options?.applicationServerKey),
          () => {
            subscription = null;
          },
        );
        return subscription as unknown as PushSubscription;
      },
    },
    getNotifications: async () => [...shown],
  }),
};

const reached = async <T>(act: () => T): Promise<T> => {
  if (isServerAway) throw new Error('no response');
  return act();
};
const api: PushApi = {
  key: () => reached(() => SERVER_KEY),
  subscribe: ({ endpoint }) => reached(() => void endpoints.add(endpoint)),
  unsubscribe: (endpoint) => reached(() => void endpoints.delete(endpoint)),
  sendTest: () => reached(() => endpoints.size),
};

const store = memoryStorage();
const showing = (tag: string, seq?: number, threadId?: number) => {
  const data = { seq, threadId, path: `/rooms/1/m/${seq}` };
  const notification = { tag, data, close: () => void shown.splice(shown.indexOf(notification), 1) };
  shown.push(notification);
};

const readUpTo = (roomId: number, readSeq: number) => [roomId, { readSeq } as ListedRoom] as const;

beforeEach(() => {
  [permission, response, questions] = ['default', 'granted', 0];
  [subscription, subscriptions, isPushServiceAway, shown] = [null, 0, false, []];
  [endpoints, isServerAway] = [new Set(), false];
  store.removeItem(`chat_push:${USER}`);
  push = devicePush(USER, api, browser, store);
});

describe('state', () => {
  test('says why notifications cannot be turned on', () => {
    permission = undefined;
    expect(push.state()).toBe('unsupported');
    expect(devicePush(USER, api, { ...browser, permission, isUninstalledOnIos: true }, store).state()).toBe(
      'install_first',
    );
    permission = 'denied';
    expect(push.state()).toBe('blocked');
  });

  test('nothing but turning on asks for the permission', async () => {
    expect(push.state()).toBe('off');
    await push.renew();
    await push.turnOff();
    await push.close(() => true);
    expect(questions).toBe(0);
  });
});

describe('turnOn and turnOff', () => {
  test('subscribes, tells the server, and ends both', async () => {
    expect(await push.turnOn()).toBe('on');
    expect([...endpoints]).toEqual(['endpoint 1']);
    await push.turnOff();
    expect([push.state(), subscription, endpoints.size]).toEqual(['off', null, 0]);
  });

  test('a refused or closed question changes nothing', async () => {
    response = 'denied';
    expect(await push.turnOn()).toBe('blocked');
    response = 'default';
    expect(await push.turnOn()).toBe('off');
    expect([subscription, endpoints.size]).toEqual([null, 0]);
  });

  test('a server or a push service that is away leaves the state as it was, and another try succeeds', async () => {
    isServerAway = true;
    await expect(push.turnOn()).rejects.toThrow('no response');
    expect(push.state()).toBe('off');
    [isServerAway, isPushServiceAway] = [false, true];
    await expect(push.turnOn()).rejects.toThrow('push service error');
    expect(push.state()).toBe('off');
    isPushServiceAway = false;
    expect(await push.turnOn()).toBe('on');
  });

  test('without the server they end on this device all the same', async () => {
    await push.turnOn();
    isServerAway = true;
    await expect(push.turnOff()).rejects.toThrow('no response');
    expect([push.state(), subscription]).toEqual(['off', null]);
  });

  test('they are on for the user who turned them on, and for no other on the device', async () => {
    await push.turnOn();
    expect(devicePush(8, api, browser, store).state()).toBe('off');
  });
});

describe('renew', () => {
  test('tells the server the present address, and only while notifications are on', async () => {
    await push.turnOn();
    await subscription?.unsubscribe();
    await push.renew();
    expect([...endpoints]).toEqual(['endpoint 1', 'endpoint 2']);
    permission = 'denied';
    endpoints.clear();
    await push.renew();
    expect(endpoints.size).toBe(0);
  });

  test('a subscription for the same server key is kept, one for another key is replaced', async () => {
    await push.turnOn();
    await push.renew();
    expect(subscriptions).toBe(1);
    await devicePush(
      USER,
      { ...api, key: async () => `${SERVER_KEY.slice(0, -2)}AA` },
      browser,
      store,
    ).renew();
    expect(subscriptions).toBe(2);
  });
});

describe('what is shown', () => {
  test('is closed once its message has been read, in its own room only', async () => {
    permission = 'granted';
    for (const [tag, seq] of [
      ['room 1', 5],
      ['room 1', 9],
      ['room 2', 5],
      ['room 3', 5],
      ['test', 1],
    ] as const)
      showing(tag, seq);
    showing('room 1');
    useOwnRooms.setState({ rooms: new Map([readUpTo(1, 8), readUpTo(2, 4)]) });
    await push.close(isRead);
    expect(shown.map(({ tag, data }) => [tag, (data as { seq?: number }).seq])).toEqual([
      ...[
        ['room 1', 9],
        ['room 2', 5],
        ['room 3', 5],
        ['test', 1],
        ['room 1', undefined],
      ],
    ]);
  });

  test('of a reply is closed once its thread has been read, and not with its room', async () => {
    permission = 'granted';
    showing('room 1', 5, 3);
    showing('room 1', 9, 3);
    showing('room 1', 6);
    const seqs = () => shown.map(({ data }) => (data as { seq?: number }).seq);
    useThreadMarks.setState({ marks: new Map() });
    useOwnRooms.setState({ rooms: new Map([readUpTo(1, 20)]) });
    await push.close(isRead);
    expect(seqs()).toEqual([5, 9]);
    useThreadMarks.setState({ marks: new Map([[3, 8]]) });
    await push.close(isRead);
    expect(seqs()).toEqual([9]);
  });

  test('is closed once its message was deleted or is out of sight; the server is asked again after other events only', async () => {
    permission = 'granted';
    for (const seq of [3, 4, 5]) showing('room 1', seq);
    showing('test');
    let asked: number[] = [];
    const answers = new Map<number, object>([[4, { deleted_at: '2026-01-01T00:00:00.000Z' }]]);
    let isAway = false;
    const isGone = goneMessages(async (_, messageId) => {
      asked.push(messageId);
      if (isAway) throw new ApiError(0, 'no response');
      if (messageId === 5) throw new ApiError(404, 'message not found');
      return answers.get(messageId) ?? {};
    });
    const close = async (seq: number, number: number) => {
      asked = [];
      await push.close(({ path }) => isGone(path, new Map([[1, { seq, number }]])));
      return { asked, left: shown.map(({ data }) => (data as { seq?: number }).seq) };
    };
    expect(await close(5, 5)).toEqual({ asked: [3, 4, 5], left: [3, undefined] });
    expect(await close(6, 6)).toEqual({ asked: [], left: [3, undefined] });
    isAway = true;
    expect(await close(7, 6)).toEqual({ asked: [3], left: [3, undefined] });
    isAway = false;
    answers.set(3, { deleted_at: '2026-01-01T00:00:00.000Z' });
    expect(await close(7, 6)).toEqual({ asked: [3], left: [undefined] });
  });

  test('after a sign-out is gone, and nothing further arrives', async () => {
    await push.turnOn();
    showing('room 1', 5);
    await push.forget();
    expect([shown, subscription, push.state()]).toEqual([[], null, 'off']);
  });
});
