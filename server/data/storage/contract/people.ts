import { describe, expect, it } from 'vitest';
import { searchForm, searchStart } from '../../../../protocol/search/names.ts';
import { exchange, logIn } from './sessions.ts';
import {
  type ContractPart,
  DAY,
  HOSTILE_TEXTS,
  HOUR,
  NOW,
  newRoom,
  newUser,
  newUsers,
  SECOND,
  unique,
} from './subject.ts';

const NOBODY = Number.MAX_SAFE_INTEGER;

export const describePeople: ContractPart = (subject) => {
  describe('profiles', () => {
    it('a new user goes by the username, is a person and a member, and has version 1', async () => {
      const { store } = subject();
      const user = await newUser(store);
      const profile = {
        ...{ ...user, version: 1, kind: 'person', role: 'member', displayName: '' },
        ...{ status: null, avatarKey: null, timeZone: null, suspendedAt: null },
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
      await store.changeProfile({ userId, displayName: 'Ann', timeZone: 'Europe/Vienna' });
      const status = '{"text":"away"}';
      const changed = await store.changeProfile({ userId, status });
      expect(changed).toMatchObject({ isShown: true });
      expect(changed?.profile).toMatchObject({
        ...{ displayName: 'Ann', timeZone: 'Europe/Vienna', status, version: 3 },
      });
      await subject().reopen();
      expect((await subject().store.ownProfile(userId))?.profile).toEqual(changed?.profile);
      const cleared = await subject().store.changeProfile({ userId, status: null, timeZone: null });
      expect(cleared?.profile).toMatchObject({
        displayName: 'Ann',
        ...{ timeZone: null, status: null, version: 4 },
      });
    });

    it('a change to the same, and of settings, which only the user sees, leaves the version as it is', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      const change = { userId, displayName: 'Ann', status: '{}', timeZone: 'UTC' };
      await store.changeProfile(change);
      const same = { profile: { version: 2 }, settings: '{"theme":"dark"}', isShown: false };
      expect(await store.changeProfile({ ...change, settings: { theme: 'dark' } })).toMatchObject(same);
      expect(await store.changeProfile({ userId })).toMatchObject(same);
    });

    it('of 20 settings that are changed at once each is kept', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      const names = Array.from({ length: 20 }, (_, index) => `setting ${index}`);
      await Promise.all(names.map((name) => store.changeProfile({ userId, settings: { [name]: name } })));
      const own = await store.ownProfile(userId);
      expect(JSON.parse(own?.settings ?? '')).toEqual(Object.fromEntries(names.map((name) => [name, name])));
    });

    it('an unknown user has no profile', async () => {
      const { store } = subject();
      expect(await store.ownProfile(NOBODY)).toBeUndefined();
      expect(await store.changeProfile({ userId: NOBODY, timeZone: 'UTC' })).toBeUndefined();
    });

    it.each(HOSTILE_TEXTS)('keeps text literally: %j', async (text) => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      await store.changeProfile({ userId, displayName: text, status: text, settings: { text } });
      expect(await store.ownProfile(userId)).toMatchObject({
        profile: { displayName: text, status: text },
        settings: JSON.stringify({ text }),
      });
    });
  });

  describe('searchPeople', () => {
    it('finds people by how a word of either name begins, literally, in the order of these words', async () => {
      const { store } = subject();
      const mark = unique('');
      const b = await newUser(store, `${mark} b 100% x`);
      const a = await newUser(store, `${mark} a_x`);
      const c = await newUser(store);
      await store.changeProfile({ userId: c.id, displayName: `Zed${mark}` });
      const search = async (start: string, limit = 100) =>
        (await store.searchPeople({ start: searchForm(start), limit })).map(({ id }) => id);
      expect(await search(mark.trim())).toEqual([c.id, a.id, b.id]);
      expect(await search(mark.trim(), 2)).toEqual([c.id, a.id]);
      expect(await search(`zed${mark}`)).toEqual([c.id]);
      expect(await search(`${mark} a_`.trim())).toEqual([a.id]);
      expect(await search(`${mark} a%`.trim())).toEqual([]);
      expect(await search('%')).toEqual([]);
      // Only forms are looked for.
      expect(await store.searchPeople({ start: `Zed${mark}`, limit: 9 })).toEqual([]);
    });

    it('finds people without accents, capitals and punctuation', async () => {
      const { store } = subject();
      const mark = unique('');
      const people = ['Jürgen Müller', 'Nguyễn Văn', 'Łukasz', 'Ελένη', 'O’Brien', 'mary-jane'];
      for (const name of people) await newUser(store, `${name}${mark}`);
      const search = async (typed: string) =>
        (await store.searchPeople({ start: searchStart(typed), limit: 500 }))
          .map(({ username }) => username)
          .filter((name) => name.endsWith(mark))
          .map((name) => name.slice(0, -mark.length));
      for (const [typed, name] of [
        ...[
          ['jurgen', 'Jürgen Müller'],
          ['MULLER', 'Jürgen Müller'],
          ['jurgen mu', 'Jürgen Müller'],
        ],
        ...[
          ['nguyen', 'Nguyễn Văn'],
          ['van', 'Nguyễn Văn'],
          ['lukasz', 'Łukasz'],
          ['ελενη', 'Ελένη'],
        ],
        ...[
          ["o'brien", 'O’Brien'],
          ['obrien', 'O’Brien'],
          ['mary j', 'mary-jane'],
          ['@jane', 'mary-jane'],
        ],
      ] as const)
        expect([typed, await search(typed)]).toEqual([typed, [name]]);
    });

    it('finds a person once, by the display name of now, and by the username always', async () => {
      const { store } = subject();
      const [one, two] = [unique('one'), unique('two')];
      const user = await newUser(store, unique('same'));
      const search = async (start: string) =>
        (await store.searchPeople({ start: searchForm(start), limit: 9 })).map(({ id }) => id);
      await store.changeProfile({ userId: user.id, displayName: `${user.username} ${one}` });
      await store.changeProfile({ userId: user.id, displayName: `${user.username} ${two}` });
      expect(await search(one)).toEqual([]);
      expect(await search(two)).toEqual([user.id]);
      expect(await search(user.username)).toEqual([user.id]);
      await store.changeProfile({ userId: user.id, displayName: '' });
      expect(await search(two)).toEqual([]);
      expect(await search(user.username)).toEqual([user.id]);
    });

    it('with amongPeopleOf, finds only people in a room with that user', async () => {
      const { store } = subject();
      const name = unique('many');
      const guest = await newUser(store);
      const users = [];
      for (let count = 0; count < 300; count++) users.push(await newUser(store, `${name} ${count}`));
      const friend = users[250]?.id ?? 0;
      const room = await newRoom(store, guest.id);
      await store.joinRoom({ roomId: room.id, userId: friend, now: NOW });
      const search = { start: searchForm(name), limit: 2, amongPeopleOf: guest.id };
      expect((await store.searchPeople(search)).map(({ id }) => id)).toEqual([friend]);
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

    it('users cannot block unknown users or themselves', async () => {
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

  describe('claimSetup', () => {
    it('of 50 at once one is the first admin, on record and with a number in the log; any grant ends the setup', async () => {
      const { store } = subject();
      expect(await store.hasAdmin()).toBe(false);
      const users = await newUsers(store, 50);
      const nonces = ['a', 'b', 'c'].map((nonce) => store.beginSetup({ nonce, isRenewed: false }));
      const [nonce = '', ...others] = await Promise.all(nonces);
      expect(others).toEqual([nonce, nonce]);
      expect(await store.setupNonce()).toBe(nonce);
      const userId = users[0]?.id ?? 0;
      expect(await store.claimSetup({ userId, nonce: 'other', now: NOW })).toBeUndefined();
      await store.beginSetup({ nonce: 'renewed', isRenewed: true });
      expect(await store.claimSetup({ userId, nonce, now: NOW })).toBeUndefined();
      const setup = { nonce: 'renewed', now: NOW };
      const grants = users.map(({ id: userId }) => store.claimSetup({ userId, ...setup }));
      const granted = await Promise.all(grants);
      expect(granted.filter(Boolean)).toHaveLength(1);
      expect(await store.hasAdmin()).toBe(true);
      const at = granted.findIndex(Boolean);
      const [admin, other] = [users[at], users[(at + 1) % users.length]];
      expect(await store.ownProfile(admin?.id ?? 0)).toMatchObject({
        profile: { role: 'admin', version: 2 },
      });
      expect(granted[at]).toEqual({ userSeq: 1 });
      const log = await store.audit({
        ...{ viewerId: null, scope: { of: 'all' }, limit: 1, now: NOW },
      });
      expect(log?.[0]).toMatchObject({
        ...{ action: 'role', actor: { id: admin?.id }, user: { id: admin?.id } },
        details: JSON.stringify({ from: 'member', to: 'admin' }),
      });
      const grant = { actorId: null, userId: other?.id ?? 0, role: 'admin', now: NOW } as const;
      expect(await store.setRole(grant)).toMatchObject({ outcome: 'changed' });
      expect(await store.setupNonce()).toBeUndefined();
      expect(await store.beginSetup({ nonce: 'late', isRenewed: true })).toBeUndefined();

      // Without an admin again, the code that was used does not work again; any grant ends the new one.
      for (const { id } of [admin, other].filter((user) => user !== undefined))
        await store.setRole({ actorId: null, userId: id, role: 'member', now: NOW });
      expect(await store.claimSetup({ userId, ...setup })).toBeUndefined();
      expect(await store.beginSetup({ nonce: 'next', isRenewed: false })).toBe('next');
      await store.setSuspended({ actorId: null, userId, suspended: true, reason: '', now: NOW });
      expect(await store.claimSetup({ userId, nonce: 'next', now: NOW })).toBeUndefined();
      await store.setRole({ actorId: null, userId: other?.id ?? 0, role: 'admin', now: NOW });
      await store.setRole({ actorId: null, userId: other?.id ?? 0, role: 'member', now: NOW });
      expect(await store.setupNonce()).toBeUndefined();
      await store.setRole(grant);
    });
  });
};
