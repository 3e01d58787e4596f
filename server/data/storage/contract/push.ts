import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { exchange, logIn } from './sessions.ts';
import { type ContractPart, DAY, HOSTILE_TEXTS, NOW, newUser, SECOND, unique } from './subject.ts';

const EXPIRES_AT = NOW + 7 * DAY;

export const describePush: ContractPart = (subject) => {
  async function newLogin() {
    const { store } = subject();
    const user = await newUser(store);
    return { store, userId: user.id, ...(await logIn(store, user.id)) };
  }

  /** Stores a subscription, and returns its endpoint. */
  async function subscribe(
    store: Store,
    of: { userId: number; sessionId: number },
    { endpoint = unique('endpoint'), p256dh = 'p256dh', auth = 'auth', now = NOW, maxPerUser = 20 } = {},
  ): Promise<string> {
    const { userId, sessionId } = of;
    const put = { userId, sessionId, endpoint, p256dh, auth, now, maxPerUser };
    expect(await store.putPushSubscription(put)).toBe(true);
    return endpoint;
  }

  async function endpointsOf(userId: number, now = NOW): Promise<string[]> {
    return (await subject().store.pushSubscriptions({ userId, now })).map(({ endpoint }) => endpoint);
  }

  describe('putPushKeys', () => {
    it('of 20 racers with keys of their own all get the same, which stay', async () => {
      const { store } = subject();
      const before = await store.pushKeys();
      const keys = Array.from({ length: 20 }, () => unique('keys'));
      const got = new Set(await Promise.all(keys.map((one) => store.putPushKeys({ keys: one }))));
      expect(got.size).toBe(1);
      const [stored = ''] = got;
      expect(before === undefined ? keys : [before]).toContain(stored);
      await subject().reopen();
      expect(await subject().store.putPushKeys({ keys: unique('keys') })).toBe(stored);
      expect(await subject().store.pushKeys()).toBe(stored);
    });
  });

  describe('putPushSubscription', () => {
    it('keeps endpoint and keys, literally, in the order in which they came', async () => {
      const { store, ...of } = await newLogin();
      const rows = HOSTILE_TEXTS.map((text) => ({
        endpoint: unique(text),
        p256dh: `p ${text}`,
        auth: `a ${text}`,
      }));
      for (const row of rows) await subscribe(store, of, row);
      await subject().reopen();
      expect(await subject().store.pushSubscriptions({ userId: of.userId, now: NOW })).toEqual(
        rows.map((row) => ({ ...row, failures: 0 })),
      );
    });

    it('an endpoint belongs to the user and session that put it last, with its last keys', async () => {
      const { store, ...ann } = await newLogin();
      const bo = await newLogin();
      const endpoint = await subscribe(store, ann);
      await subscribe(store, bo, { endpoint, p256dh: 'new p256dh', auth: 'new auth' });
      expect(await endpointsOf(ann.userId)).toEqual([]);
      expect(await store.pushSubscriptions({ userId: bo.userId, now: NOW })).toEqual([
        { endpoint, p256dh: 'new p256dh', auth: 'new auth', failures: 0 },
      ]);
      await store.revokeSession({ refreshHash: ann.hash, now: NOW });
      expect(await endpointsOf(bo.userId)).toEqual([endpoint]);
    });

    it('beyond the most that a user may have, the oldest are deleted, and those of nobody else', async () => {
      const { store, ...ann } = await newLogin();
      const bo = await newLogin();
      const other = await subscribe(store, bo);
      const endpoints = [];
      for (let age = 5; age > 0; age--)
        endpoints.push(await subscribe(store, ann, { now: NOW - age * SECOND, maxPerUser: 3 }));
      expect(await endpointsOf(ann.userId)).toEqual(endpoints.slice(2));
      // A known one takes no further place, and is the newest from now on.
      await subscribe(store, ann, { endpoint: endpoints[2] ?? '', maxPerUser: 3 });
      expect(await endpointsOf(ann.userId)).toEqual([endpoints[3], endpoints[4], endpoints[2]]);
      expect(await endpointsOf(bo.userId)).toEqual([other]);
    });

    it('stores nothing for a session that has ended or expired, or is of another user', async () => {
      const { store, ...ann } = await newLogin();
      const bo = await newLogin();
      const keys = { p256dh: 'p256dh', auth: 'auth', maxPerUser: 20 };
      const put = (of: { userId: number; sessionId: number }, now = NOW) =>
        store.putPushSubscription({
          ...keys,
          userId: of.userId,
          sessionId: of.sessionId,
          endpoint: unique('e'),
          now,
        });
      expect(await put({ userId: bo.userId, sessionId: ann.sessionId })).toBe(false);
      expect(await put(ann, EXPIRES_AT)).toBe(false);
      await store.endSession({ userId: ann.userId, sessionId: ann.sessionId, now: NOW });
      expect(await put(ann)).toBe(false);
      expect(await endpointsOf(ann.userId)).toEqual([]);
    });
  });

  describe('the end of a session deletes its subscriptions, and those of no other session', () => {
    it.each<
      [string, (store: Store, of: { userId: number; sessionId: number; hash: string }) => Promise<unknown>]
    >([
      ['sign-out', (store, { hash }) => store.revokeSession({ refreshHash: hash, now: NOW })],
      ['ended by its user', (store, of) => store.endSession({ ...of, now: NOW })],
      [
        'theft',
        async (store, { hash }) => {
          await exchange(store, hash, unique('successor'));
          return await exchange(store, hash, unique('thief'), { afterMs: 11 * SECOND });
        },
      ],
      ['deleted long after its end', (store) => store.purge({ now: EXPIRES_AT + DAY + 1 })],
    ])('%s', async (_, end) => {
      const { store, ...of } = await newLogin();
      const elsewhere = { userId: of.userId, ...(await logIn(store, of.userId, EXPIRES_AT + 30 * DAY)) };
      for (let count = 0; count < 3; count++) await subscribe(store, of);
      const kept = await subscribe(store, elsewhere);
      await end(store, of);
      expect(await endpointsOf(of.userId)).toEqual([kept]);
    });

    it('a subscription that is put while its session ends is gone afterwards, or was refused', async () => {
      const { store, ...of } = await newLogin();
      const put = (endpoint: string) =>
        store.putPushSubscription({ ...of, endpoint, p256dh: 'p', auth: 'a', now: NOW, maxPerUser: 50 });
      const puts = Array.from({ length: 20 }, () => put(unique('endpoint')));
      const ended = store.endSession({ ...of, now: NOW });
      await Promise.all([...puts, ended, ...Array.from({ length: 20 }, () => put(unique('endpoint')))]);
      expect(await endpointsOf(of.userId)).toEqual([]);
    });

    it('an expired session gets nothing', async () => {
      const { store, ...of } = await newLogin();
      const endpoint = await subscribe(store, of);
      expect(await endpointsOf(of.userId, EXPIRES_AT - 1)).toEqual([endpoint]);
      expect(await endpointsOf(of.userId, EXPIRES_AT)).toEqual([]);
    });
  });

  describe('deletePushSubscription', () => {
    it("deletes the user's own, once", async () => {
      const { store, ...ann } = await newLogin();
      const bo = await newLogin();
      const [endpoint, other] = [await subscribe(store, ann), await subscribe(store, ann)];
      expect(await store.deletePushSubscription({ userId: bo.userId, endpoint })).toBe(false);
      expect(await store.deletePushSubscription({ userId: ann.userId, endpoint })).toBe(true);
      expect(await store.deletePushSubscription({ userId: ann.userId, endpoint })).toBe(false);
      expect(await endpointsOf(ann.userId)).toEqual([other]);
    });
  });

  describe('settlePush', () => {
    const maxFailures = 3;

    it('gone: the subscription is deleted', async () => {
      const { store, ...of } = await newLogin();
      const [endpoint, other] = [await subscribe(store, of), await subscribe(store, of)];
      await store.settlePush({ endpoint, outcome: 'gone', maxFailures });
      expect(await endpointsOf(of.userId)).toEqual([other]);
    });

    it('failed: deleted with the last of as many failures in a row', async () => {
      const { store, ...of } = await newLogin();
      const endpoint = await subscribe(store, of);
      const settle = (outcome: 'failed' | 'delivered') =>
        store.settlePush({ endpoint, outcome, maxFailures });
      for (const outcome of ['failed', 'failed', 'delivered', 'failed', 'failed'] as const)
        await settle(outcome);
      expect(await endpointsOf(of.userId)).toEqual([endpoint]);
      expect(await store.pushSubscriptions({ userId: of.userId, now: NOW })).toMatchObject([{ failures: 2 }]);
      await subscribe(store, of, { endpoint });
      await settle('failed');
      await settle('failed');
      expect(await endpointsOf(of.userId)).toEqual([endpoint]);
      await settle('failed');
      expect(await endpointsOf(of.userId)).toEqual([]);
    });
  });
};
