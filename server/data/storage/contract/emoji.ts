import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { newPicture, newPlace } from './file-stage.ts';
import { type ContractPart, NOW, newUser, newUsers, say } from './subject.ts';

const MOST = 1000;

/** Nobody else has used it. */
const newName = () => `e${randomUUID().slice(0, 12)}`;

export const describeEmoji: ContractPart = (subject) => {
  const seenBy = (store: Store, key: string, userId: number) => store.servedFile({ key, userId, now: NOW });

  /** Adds an emoji of this person with a picture of their own. */
  async function add(
    store: Store,
    actorId: number,
    name: string,
    change: { most?: number; now?: number } = {},
  ) {
    const key = await newPicture(store, actorId, { purpose: 'emoji' });
    return { key, ...(await store.addEmoji({ actorId, name, key, most: MOST, now: NOW, ...change })) };
  }

  async function newAdmin(store: Store): Promise<number> {
    const { id: userId } = await newUser(store);
    await store.setRole({ actorId: null, userId, role: 'admin', now: NOW });
    return userId;
  }

  const named = async (store: Store, name: string) =>
    (await store.serverEmoji()).find((one) => one.name === name);

  describe('an emoji of the server', () => {
    it('is in the list by its name, and everybody sees its picture, until it is deleted', async () => {
      const { store } = subject();
      const [ann, bo] = [await newUser(store), await newUser(store)];
      const first = newName();
      const later = `${first}-b`;
      const { key, outcome } = await add(store, ann.id, later);
      expect(outcome).toBe('added');
      await add(store, bo.id, first);
      expect(await named(store, later)).toEqual({ name: later, key, createdBy: ann.id, createdAt: NOW });
      const names = (await store.serverEmoji()).map(({ name }) => name);
      expect(names.indexOf(first)).toBeLessThan(names.indexOf(later));
      expect(await seenBy(store, key, bo.id)).toMatchObject({ key, expiresAt: null });

      expect(await store.deleteEmoji({ actorId: ann.id, name: later, now: NOW })).toEqual({
        outcome: 'deleted',
      });
      expect(await named(store, later)).toBeUndefined();
      expect(await seenBy(store, key, bo.id)).toBeUndefined();
      expect((await store.filesDue({ now: NOW, limit: 1000 })).deleted).toContain(key);
      const again = { actorId: ann.id, name: later, now: NOW };
      expect(await store.deleteEmoji(again)).toEqual({ outcome: 'emoji_not_found' });
    });

    it('each change gives the emoji another stamp, and a deleted name can be given again', async () => {
      const { store } = subject();
      const ann = await newUser(store);
      const name = newName();
      const stamps = [await store.emojiStamp()];
      for (const now of [NOW + 1, NOW + 2]) {
        expect(await add(store, ann.id, name, { now })).toMatchObject({ outcome: 'added' });
        stamps.push(await store.emojiStamp());
        expect(await store.emojiStamp()).toBe(stamps.at(-1));
        await store.deleteEmoji({ actorId: ann.id, name, now });
      }
      expect(new Set(stamps).size).toBe(stamps.length);
    });

    it('one name is one emoji, also when 20 want it at once', async () => {
      const { store } = subject();
      const people = await newUsers(store, 20);
      const name = newName();
      const outcomes = await Promise.all(people.map(({ id }) => add(store, id, name)));
      const won = outcomes.filter(({ outcome }) => outcome === 'added');
      expect(won).toHaveLength(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'emoji_name_taken')).toHaveLength(19);
      expect(await named(store, name)).toMatchObject({ key: won[0]?.key });
    });

    it('has a picture that its maker uploaded for it, that is ready, and that nothing has', async () => {
      const { store } = subject();
      const [ann, bo] = [await newUser(store), await newUser(store)];
      const { key: used } = await add(store, ann.id, newName());
      const keys = [
        used,
        await newPicture(store, bo.id, { purpose: 'emoji' }),
        await newPicture(store, ann.id),
        'A'.repeat(22),
      ];
      for (const key of keys) {
        const emoji = { actorId: ann.id, name: newName(), key, most: MOST, now: NOW };
        expect(await store.addEmoji(emoji)).toEqual({ outcome: 'not_ready' });
        expect(await named(store, emoji.name)).toBeUndefined();
      }
    });

    it('there are no more than the limit', async () => {
      const { store } = subject();
      const ann = await newUser(store);
      await add(store, ann.id, newName());
      const most = (await store.serverEmoji()).length;
      expect(await add(store, ann.id, newName(), { most })).toMatchObject({ outcome: 'too_many' });
      expect(await add(store, ann.id, newName(), { most: most + 1 })).toMatchObject({ outcome: 'added' });
    });

    it('guests add none; whoever added one deletes it, or an admin, whose act is in the audit log', async () => {
      const { store } = subject();
      const [ann, bo, guest] = [await newUser(store), await newUser(store), await newUser(store)];
      const admin = await newAdmin(store);
      await store.setRole({ actorId: null, userId: guest.id, role: 'guest', now: NOW });
      const name = newName();
      expect(await add(store, guest.id, name)).toMatchObject({ outcome: 'not_allowed' });
      await add(store, ann.id, name);
      for (const actorId of [bo.id, guest.id])
        expect(await store.deleteEmoji({ actorId, name, now: NOW })).toEqual({ outcome: 'not_allowed' });
      expect(await store.deleteEmoji({ actorId: admin, name, now: NOW })).toEqual({ outcome: 'deleted' });
      const scope = { of: 'all', userId: ann.id } as const;
      const rows = (await store.audit({ viewerId: null, scope, limit: 10, now: NOW })) ?? [];
      expect(rows.map(({ action, actor, details }) => [action, actor?.id, JSON.parse(details)])).toEqual([
        ['emoji_deleted', admin, { emoji: name }],
      ]);
    });

    it('stays when the account of its maker is removed', async () => {
      const { store } = subject();
      const [ann, bo] = [await newUser(store), await newUser(store)];
      const name = newName();
      const { key } = await add(store, ann.id, name);
      await store.removeUser({ actorId: null, userId: ann.id, deletesTexts: true, reason: '', now: NOW });
      expect(await named(store, name)).toMatchObject({ createdBy: ann.id });
      expect(await seenBy(store, key, bo.id)).toMatchObject({ key });
    });
  });

  describe('a reaction with an emoji of the server', () => {
    it('is taken while there is such an emoji; it outlives the emoji, and can always be taken back', async () => {
      const { store, ownerId, roomId } = await newPlace(subject().store);
      const messageId = (await say(store, { roomId, userId: ownerId }, ['hello']))[0]?.id ?? 0;
      const name = newName();
      const react = (on: boolean) =>
        store.react({ roomId, messageId, actorId: ownerId, emoji: `:${name}:`, on, now: NOW });
      const shown = async () =>
        JSON.parse((await store.message({ roomId, messageId }))?.facts?.extra ?? '{}');
      expect(await react(true)).toEqual({ outcome: 'emoji_not_found' });
      await add(store, ownerId, name);
      expect(await react(true)).toMatchObject({ outcome: 'changed' });
      await store.deleteEmoji({ actorId: ownerId, name, now: NOW });
      expect(await shown()).toEqual({ reactions: [{ emoji: `:${name}:`, count: 1, user_ids: [ownerId] }] });
      expect(await react(true)).toEqual({ outcome: 'emoji_not_found' });
      expect(await react(false)).toMatchObject({ outcome: 'changed' });
      expect(await shown()).toEqual({});
    });

    it('while the emoji is being deleted, 20 reactions are each taken or refused', async () => {
      const { store, ownerId, roomId } = await newPlace(subject().store);
      const messages = await say(
        store,
        { roomId, userId: ownerId },
        Array.from({ length: 20 }, (_, index) => `message ${index}`),
      );
      const name = newName();
      await add(store, ownerId, name);
      const outcomes = await Promise.all([
        ...messages.map(({ id: messageId }) =>
          store.react({ roomId, messageId, actorId: ownerId, emoji: `:${name}:`, on: true, now: NOW }),
        ),
        store.deleteEmoji({ actorId: ownerId, name, now: NOW }),
      ]);
      const reacted = outcomes.slice(0, -1).map(({ outcome }) => outcome);
      expect(new Set([...reacted, 'changed', 'emoji_not_found']).size).toBe(2);
      expect(outcomes.at(-1)).toEqual({ outcome: 'deleted' });
    });
  });
};
