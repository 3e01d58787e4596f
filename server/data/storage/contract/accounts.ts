import { describe, expect, it } from 'vitest';
import { searchStart } from '../../../../protocol/search/names.ts';
import { logIn } from './sessions.ts';
import { type ContractPart, HOSTILE_TEXTS, looksOf, NOW, newUser, unique } from './subject.ts';

export const describeAccounts: ContractPart = (subject) => {
  describe('users', () => {
    it('a new name is created, and found by its key', async () => {
      const { store } = subject();
      const [username, key] = [unique('Ann'), unique('ann')];
      const user = { username, key, ...looksOf(key), passwordHash: '$argon2id$…', now: NOW };
      const created = await store.createUser(user);
      expect(created).toEqual({ outcome: 'created', user: { id: expect.any(Number), username } });
      const id = created.outcome === 'created' ? created.user.id : 0;
      expect(await store.findUser(key)).toEqual({ id, username, passwordHash: '$argon2id$…' });
    });

    it('a taken key stays with its first user, under any name', async () => {
      const { store } = subject();
      const key = unique('ann');
      const first = { username: 'Ann', key, ...looksOf(key), passwordHash: 'first', now: NOW };
      await store.createUser(first);
      expect(await store.createUser({ ...first, passwordHash: 'second' })).toEqual({ outcome: 'taken' });
      expect(await store.createUser({ ...first, username: 'ANN' })).toEqual({ outcome: 'taken' });
      expect(await store.findUser(key)).toMatchObject({ username: 'Ann', passwordHash: 'first' });
    });

    it('a disguised name that shares one of its looks with another is taken; any other is not', async () => {
      const { store } = subject();
      const [one, two, three, four] = ['a', 'b', 'c', 'd'].map(unique) as [string, string, string, string];
      const create = async (looks: string[], isDisguised: boolean) => {
        const user = { username: 'x', key: unique('x'), passwordHash: 'x', now: NOW };
        return (await store.createUser({ ...user, looks, isDisguised })).outcome;
      };
      expect(await create([one, two, three], true)).toBe('created');
      expect(await create([four, three], true)).toBe('taken');
      // Also when the disguised one came first.
      expect(await create([four, three], false)).toBe('taken');
      // Two honest names may look alike.
      expect(await create([four], false)).toBe('created');
      expect(await create([four], false)).toBe('created');
      expect(await create([four], true)).toBe('taken');
    });

    it('an account is renamed: its old name is free, its sessions end, and it is found by the new one', async () => {
      const { store } = subject();
      const [user, other] = [await newUser(store), await newUser(store)];
      await store.changeProfile({ userId: user.id, displayName: 'Zelda' });
      const { sessionId } = await logIn(store, user.id);
      const name = unique('Neu');
      const names = { username: name, key: name, ...looksOf(name) };
      const rename = { ...names, actorId: null, userId: user.id, now: NOW };
      const renamed = await store.renameUser(rename);
      expect(renamed).toMatchObject({
        ...{ outcome: 'changed', ended: [sessionId], version: 3, user: { id: user.id, username: name } },
      });
      expect((await store.renameUser(rename)).outcome).toBe('unchanged');
      expect((await store.findUser(name))?.id).toBe(user.id);
      expect(await store.findUser(user.username)).toBeUndefined();
      const found = await store.searchPeople({ start: searchStart(name), limit: 9 });
      expect(found).toMatchObject([{ id: user.id, username: name, displayName: 'Zelda' }]);
      expect(await store.searchPeople({ start: searchStart(user.username), limit: 9 })).toEqual([]);
      expect((await newUser(store, user.username)).id).not.toBe(user.id);

      const taken = { ...rename, userId: other.id };
      expect(await store.renameUser(taken)).toEqual({ outcome: 'taken' });
      const alike = { username: unique('x'), key: unique('x'), looks: [name], isDisguised: true };
      expect(await store.renameUser({ ...taken, ...alike })).toEqual({ outcome: 'taken' });
      // Its own looks are no obstacle.
      expect((await store.renameUser({ ...rename, ...alike })).outcome).toBe('changed');
      expect(await store.renameUser({ ...rename, actorId: other.id })).toEqual({ outcome: 'not_found' });
      await store.removeUser({ actorId: null, userId: user.id, deletesTexts: false, reason: '', now: NOW });
      expect(await store.renameUser(rename)).toEqual({ outcome: 'user_not_found' });
    });

    it('of 50 disguised names at once that look alike, one is created', async () => {
      const { store } = subject();
      const user = { username: 'x', looks: [unique('x')], isDisguised: true, passwordHash: 'x', now: NOW };
      const racers = Array.from({ length: 50 }, () => store.createUser({ ...user, key: unique('x') }));
      const outcomes = await Promise.all(racers);
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    });

    it('of 50 users who ask for one name at once, one gets it', async () => {
      const { store } = subject();
      const user = { username: 'x', key: unique('x'), ...looksOf('x'), passwordHash: 'x', now: NOW };
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.createUser(user)));
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    });

    it('no user is found by an unused key, by a part of a key, or by a key in another case', async () => {
      const { store } = subject();
      const { username } = await newUser(store);
      for (const key of ['', '%', username.slice(1), username.toUpperCase(), `${username} `])
        expect(await store.findUser(key)).toBeUndefined();
    });

    it.each(HOSTILE_TEXTS)('keeps the name literally: %j', async (text) => {
      const { store } = subject();
      const username = unique(text);
      const user = await newUser(store, username);
      expect(user.username).toBe(username);
      expect(await store.findUser(username)).toEqual({ ...user, passwordHash: 'hash' });
    });
  });
};
