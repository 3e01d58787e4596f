import { describe, expect, it } from 'vitest';
import { type ContractPart, NOW, newUser, newUserAndRoom, SECOND, say, texts, unique } from './subject.ts';

export const describeConsumers: ContractPart = (subject) => {
  const lease = (name: string, holder: string, { now = NOW, forMs = SECOND, isAlone = false } = {}) =>
    subject().store.leaseConsumer({ name, holder, now, until: now + forMs, isAlone });

  describe('leaseConsumer', () => {
    it('one holder has it until it ends or is given back; a process alone takes it at once', async () => {
      const name = unique('consumer');
      expect(await lease(name, 'one')).toBe(true);
      expect(await lease(name, 'one')).toBe(true);
      expect(await lease(name, 'two')).toBe(false);
      expect(await lease(name, 'two', { now: NOW + SECOND })).toBe(true);
      expect(await lease(name, 'one', { now: NOW + SECOND })).toBe(false);
      expect(await lease(name, 'two', { now: NOW + SECOND, forMs: -1 })).toBe(true);
      expect(await lease(name, 'one', { now: NOW + SECOND })).toBe(true);
      expect(await lease(name, 'two', { now: NOW + SECOND, isAlone: true })).toBe(true);
    });

    it('of many that want it at once, one gets it', async () => {
      const name = unique('consumer');
      const taken = await Promise.all(texts(8).map((holder) => lease(name, holder)));
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    it('a consumer that is new begins at the heads; in rooms that come later, at the beginning', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      await say(store, { roomId: room.id, userId: user.id }, texts(3));
      const name = unique('consumer');
      await lease(name, 'one');
      const { room: later } = await newUserAndRoom(store);
      const place = (roomId: number) => store.consumerPlace({ name, roomId });
      expect(await place(room.id)).toMatchObject({ at: 3, head: 3 });
      expect(await place(later.id)).toMatchObject({ at: 0 });
      await say(store, { roomId: room.id, userId: user.id }, texts(2));
      const { rooms } = await store.consumerBehind({ name, after: room.id - 1, limit: 1 });
      expect(rooms).toEqual([{ roomId: room.id, at: 3, head: 5 }]);
    });
  });

  describe('moveConsumer', () => {
    it('moves a cursor only from where it is, and says which did not move', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      await say(store, { roomId: room.id, userId: user.id }, texts(9));
      const name = unique('consumer');
      const move = (from: number, to: number) =>
        store.moveConsumer({ name, moves: [{ roomId: room.id, from, to }] });
      expect(await move(0, 4)).toEqual([]);
      expect(await move(0, 5)).toEqual([room.id]);
      expect(await move(4, 7)).toEqual([]);
      expect(await store.consumerPlace({ name, roomId: room.id })).toMatchObject({ at: 7, head: 9 });
      const at = await Promise.all([move(7, 8), move(7, 9)]);
      expect(at.flat()).toEqual([room.id]);
    });
  });

  describe('roomNews', () => {
    it('a text that was posted and then edited is new, wherever its number is; one from before has changed', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const at = { roomId: room.id, userId: user.id };
      const [old, edited] = await say(store, at, texts(2));
      const edit = (messageId = 0) =>
        store.editMessage({
          roomId: room.id,
          messageId,
          actorId: user.id,
          now: NOW,
          content: 'new',
          baseRevision: 0,
        });
      await say(store, at, texts(2));
      await edit(edited?.id);
      await edit(old?.id);
      const news = (after: number, change = {}) =>
        store.roomNews({ roomId: room.id, after, limit: 100, withPlain: true, ...change });
      const after = await news(1);
      expect(after).toMatchObject({ upTo: 6, head: 6 });
      expect(after?.texts.map(({ seq, content }) => [seq, content])).toEqual([
        [2, 'new'],
        [3, 'text 1'],
        [4, 'text 2'],
      ]);
      expect(after?.changes.map(({ seq, changedSeq }) => [seq, changedSeq])).toEqual([[1, 6]]);
      // A page that ends earlier leaves the change to the page that has its number.
      expect(await news(1, { limit: 1 })).toMatchObject({ upTo: 2, changes: [] });
      expect(await news(5)).toMatchObject({ texts: [], changes: [{ seq: 1 }] });
    });

    it('without plain texts, it has what mentions, what replies, what was changed since, and notices', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const { id: userId } = await newUser(store);
      await store.joinRoom({ roomId: room.id, userId, now: NOW });
      const [first, second, third] = await say(store, { roomId: room.id, userId: user.id }, texts(4));
      const cid = unique('cid');
      await store.post({ roomId: room.id, userId, cid, content: 'yes', now: NOW, replyTo: first?.id });
      const news = await store.roomNews({ roomId: room.id, after: 0, limit: 100, withPlain: false });
      expect(news?.texts.map(({ content }) => content)).toEqual(['yes']);
      expect(news?.upTo).toBe(5);
      const of = { roomId: room.id, actorId: user.id, now: NOW };
      await store.deleteMessage({ ...of, messageId: second?.id ?? 0 });
      await store.editMessage({ ...of, messageId: third?.id ?? 0, content: 'new', baseRevision: 0 });
      const later = await store.roomNews({ roomId: room.id, after: 0, limit: 100, withPlain: false });
      expect(later?.texts.map(({ content }) => content)).toEqual(['', 'new', 'yes']);
    });
  });
};
