import { describe, expect, it } from 'vitest';
import { exchange, logIn } from './sessions.ts';
import { type ContractPart, DAY, HOSTILE_TEXTS, HOUR, NOW, newUser, SECOND, unique } from './subject.ts';

const NOBODY = Number.MAX_SAFE_INTEGER;

export const describePeople: ContractPart = (subject) => {
  const named = (name: string) => ({ name, key: name });

  describe('profiles', () => {
    it('a new user goes by the username, is a person and a member, and has version 1', async () => {
      const { store } = subject();
      const user = await newUser(store);
      const profile = {
        ...{ ...user, version: 1, kind: 'person', role: 'member', displayName: '' },
        ...{ status: null, timeZone: null, suspendedAt: null },
      };
      expect(await store.ownProfile(user.id)).toEqual({ profile, settings: '{}' });
      expect(await store.profiles([user.id])).toEqual([profile]);
    });

    it('profiles come by id, each once, without unknown ones; 100 at most', async () => {
      const { store } = subject();
      const [one, two] = [(await newUser(store)).id, (await newUser(store)).id];
      const idsOf = async (ids: number[]) => (await store.profiles(ids)).map(({ id }) => id);
      expect(await idsOf([two, NOBODY, one, two, 0, -1])).toEqual([one, two]);
      expect(await idsOf([])).toEqual([]);
      expect(await idsOf([...new Array<number>(100).fill(one), two])).toEqual([one]);
    });

    it('a change changes what it names, and the version grows; it survives a reopening', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      await store.changeProfile({ userId, displayName: named('Ann'), timeZone: 'Europe/Vienna' });
      const status = '{"text":"away"}';
      const changed = await store.changeProfile({ userId, status });
      expect(changed?.profile).toMatchObject({
        ...{ displayName: 'Ann', timeZone: 'Europe/Vienna', status, version: 3 },
      });
      await subject().reopen();
      expect(await subject().store.ownProfile(userId)).toEqual(changed);
      const cleared = await subject().store.changeProfile({ userId, status: null, timeZone: null });
      expect(cleared?.profile).toMatchObject({
        displayName: 'Ann',
        ...{ timeZone: null, status: null, version: 4 },
      });
    });

    it('a change to the same, and of settings, which only the user sees, leaves the version as it is', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      const change = { userId, displayName: named('Ann'), status: '{}', timeZone: 'UTC' };
      await store.changeProfile(change);
      const settings = '{"theme":"dark"}';
      expect(await store.changeProfile({ ...change, settings })).toMatchObject({
        profile: { version: 2 },
        settings,
      });
      expect(await store.changeProfile({ userId })).toMatchObject({ profile: { version: 2 }, settings });
    });

    it('nobody has no profile', async () => {
      const { store } = subject();
      expect(await store.ownProfile(NOBODY)).toBeUndefined();
      expect(await store.changeProfile({ userId: NOBODY, timeZone: 'UTC' })).toBeUndefined();
    });

    it.each(HOSTILE_TEXTS)('keeps text literally: %j', async (text) => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      await store.changeProfile({ userId, displayName: named(text), status: text, settings: text });
      expect(await store.ownProfile(userId)).toMatchObject({
        profile: { displayName: text, status: text },
        settings: text,
      });
    });
  });

  describe('searchPeople', () => {
    it("finds a part of the username's key or of the display name's key, literally, by username", async () => {
      const { store } = subject();
      const mark = unique('');
      const b = await newUser(store, `b 100% ${mark}`);
      const a = await newUser(store, `a_x ${mark}`);
      const c = await newUser(store);
      await store.changeProfile({ userId: c.id, displayName: { name: 'C', key: `zed ${mark}` } });
      const search = async (keyPart: string, limit = 100) =>
        (await store.searchPeople({ keyPart, limit })).map(({ id }) => id);
      expect(new Set(await search(mark))).toEqual(new Set([a.id, b.id, c.id]));
      expect((await search(mark)).filter((id) => id !== c.id)).toEqual([a.id, b.id]);
      expect(await search(mark, 2)).toHaveLength(2);
      expect(await search(`zed ${mark}`)).toEqual([c.id]);
      expect(await search(`% ${mark}`)).toEqual([b.id]);
      expect(await search(`_x ${mark}`)).toEqual([a.id]);
      expect(await search(`A_X ${mark}`)).toEqual([]);
      expect(await search(`${mark}%`)).toEqual([]);
    });
  });

  describe('blocks', () => {
    it('each block takes the next number of the log; a repeat changes nothing', async () => {
      const { store } = subject();
      const [{ id: userId }, one, two] = [await newUser(store), await newUser(store), await newUser(store)];
      const set = (blockedId: number, isBlocked: boolean) => store.setBlock({ userId, blockedId, isBlocked });
      expect(await set(one.id, false)).toBeUndefined();
      expect(await set(two.id, true)).toEqual({ userSeq: 1 });
      expect(await set(one.id, true)).toEqual({ userSeq: 2 });
      expect(await set(one.id, true)).toBeUndefined();
      expect(await store.blockedBy(userId)).toEqual([one.id, two.id]);
      expect(await store.blockedBy(one.id)).toEqual([]);
      expect(await set(one.id, false)).toEqual({ userSeq: 3 });
      expect(await set(one.id, false)).toBeUndefined();
      await subject().reopen();
      expect(await subject().store.blockedBy(userId)).toEqual([two.id]);
      expect(await subject().store.setBlock({ userId, blockedId: one.id, isBlocked: true })).toEqual({
        userSeq: 4,
      });
    });

    it('nobody can be blocked, and neither can one block oneself', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      for (const blockedId of [userId, NOBODY, 0])
        expect(await store.setBlock({ userId, blockedId, isBlocked: true })).toBe(false);
      expect(await store.blockedBy(userId)).toEqual([]);
    });
  });

  describe("a user's sessions", () => {
    it('the latest used comes first; expired and ended ones are left out', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      const [first, second, brief] = [
        await logIn(store, userId),
        await logIn(store, userId),
        await logIn(store, userId, NOW + HOUR),
      ];
      const shown = async (now: number) =>
        (await store.liveSessions({ userId, now })).map(({ sessionId }) => sessionId);
      expect(await shown(NOW)).toEqual([brief.sessionId, second.sessionId, first.sessionId]);
      await exchange(store, first.hash, unique('next'), { afterMs: SECOND });
      expect(await shown(NOW + HOUR)).toEqual([first.sessionId, second.sessionId]);
      expect((await store.liveSessions({ userId, now: NOW + HOUR }))[0]).toEqual({
        ...{ sessionId: first.sessionId, createdAt: NOW, lastUsedAt: NOW + SECOND, userAgent: '' },
      });
      await store.endSession({ userId, sessionId: first.sessionId, now: NOW });
      expect(await shown(NOW + HOUR)).toEqual([second.sessionId]);
    });

    it('a session is ended once, by its user, while it lives; its tokens are invalid from then on', async () => {
      const { store } = subject();
      const [{ id: userId }, other] = [await newUser(store), await newUser(store)];
      const { sessionId, hash } = await logIn(store, userId);
      expect(await store.endSession({ userId: other.id, sessionId, now: NOW })).toBe(false);
      expect(await store.endSession({ userId, sessionId, now: NOW + 7 * DAY })).toBe(false);
      const ends = Array.from({ length: 50 }, () => store.endSession({ userId, sessionId, now: NOW }));
      expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(1);
      expect(await exchange(store, hash, unique('x'))).toEqual({ outcome: 'invalid' });
      expect(await store.sessionsRevokedSince(NOW)).toContainEqual({ sessionId });
      expect(await store.endSession({ userId, sessionId: NOBODY, now: NOW })).toBe(false);
    });
  });

  describe('grantAdmin', () => {
    it('of 50 at once the first admin is one; after that only force makes another', async () => {
      const { store } = subject();
      expect(await store.hasAdmin()).toBe(false);
      const users = await Promise.all(Array.from({ length: 50 }, () => newUser(store)));
      const grants = users.map(({ id: userId }) => store.grantAdmin({ userId, isForced: false }));
      const granted = await Promise.all(grants);
      expect(granted.filter(Boolean)).toHaveLength(1);
      expect(await store.hasAdmin()).toBe(true);
      const admin = users[granted.indexOf(true)];
      const other = users[granted.indexOf(false)];
      expect(await store.ownProfile(admin?.id ?? 0)).toMatchObject({
        profile: { role: 'admin', version: 2 },
      });
      expect(await store.grantAdmin({ userId: other?.id ?? 0, isForced: true })).toBe(true);
      expect(await store.grantAdmin({ userId: other?.id ?? 0, isForced: true })).toBe(false);
      expect(await store.grantAdmin({ userId: NOBODY, isForced: true })).toBe(false);
    });
  });
};
