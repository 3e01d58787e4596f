import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { type ContractPart, NOW, newRoom, newUser, newUserAndRoom, say, texts } from './subject.ts';

async function savedBy(store: Store, userId: number, page: { limit?: number; before?: number } = {}) {
  const { bookmarks, hasMore } = await store.saved({ userId, limit: 100, now: NOW, ...page });
  return { ids: bookmarks.map(({ message }) => message.id), bookmarks, hasMore };
}

export const describePosts: ContractPart = (subject) => {
  describe('post', () => {
    it('is the next text of the room, between plain ones', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const at = { roomId: room.id, userId: user.id };
      const [first] = await say(store, at, ['first']);
      assert(first);
      const [before, reply, after] = await Promise.all([
        store.append({ ...at, cid: null, content: 'before', now: NOW }),
        store.post({ ...at, cid: 'c', content: 'reply', now: NOW - 1, replyTo: first.id }),
        store.append({ ...at, cid: null, content: 'after', now: NOW }),
      ]);
      expect([before, reply, after]).toMatchObject([
        { seq: 2, number: 2 },
        { outcome: 'stored', seq: 3, number: 3, createdAt: NOW, isMember: true },
        { seq: 4, number: 4 },
      ]);
      assert(reply.outcome === 'stored');
      expect(reply.message).toMatchObject({ content: 'reply', cid: 'c', changedSeq: 3 });
      expect(JSON.parse(reply.message.facts?.extra ?? '')).toEqual({
        reply_to: { id: first.id, user_id: user.id },
      });
      expect(await store.message({ roomId: room.id, messageId: reply.id })).toEqual(reply.message);
    });

    it('keeps whom the text mentions', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const mentions = { names: [[user.username]], room: 'room' } as const;
      const text = { roomId: room.id, userId: user.id, cid: null, content: '@me @room', now: NOW };
      const posted = await store.post({ ...text, mentions });
      assert(posted.outcome === 'stored');
      expect(JSON.parse(posted.message.facts?.extra ?? '')).toEqual({
        mentions: [user.id],
        mention_room: 'room',
      });
      const plain = await store.post({ ...text, mentions: { names: [], room: null } });
      expect(plain).toMatchObject({ outcome: 'stored', message: { facts: null } });
    });

    it('is stored once for a cid, and refused as a plain text would be', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const text = { roomId: room.id, userId: user.id, cid: 'c', content: 'x', now: NOW };
      const [said] = await say(store, text, ['first']);
      const reply = { ...text, replyTo: said?.id };
      const stored = await store.post(reply);
      assert(stored.outcome === 'stored');
      const { id, seq, number, createdAt } = stored;
      expect(await store.post(reply)).toEqual({ outcome: 'duplicate', id, seq, number, createdAt });
      expect(await store.post({ ...reply, content: 'y' })).toEqual({ outcome: 'cid_conflict' });
      expect(await store.post({ ...reply, cid: 'd', roomId: 999_999_999 })).toEqual({
        outcome: 'room_not_found',
      });
      await store.changeRoom({ roomId: room.id, actorId: user.id, patch: { archived: true }, now: NOW });
      expect(await store.post({ ...reply, cid: 'e' })).toEqual({ outcome: 'not_allowed' });
      expect(await store.post(reply)).toMatchObject({ outcome: 'duplicate' });
    });

    it('a quote must be of a text in this room', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const other = await newRoom(store, user.id);
      const [elsewhere] = await say(store, { roomId: other.id, userId: user.id }, ['elsewhere']);
      const text = { roomId: room.id, userId: user.id, cid: null, content: 'x', now: NOW };
      for (const replyTo of [elsewhere?.id, 999_999_999])
        expect(await store.post({ ...text, replyTo })).toEqual({ outcome: 'message_not_found' });
    });

    it('is not delivered to somebody who has blocked the author, and brings a hidden conversation back', async () => {
      const { store } = subject();
      const [one, other] = [await newUser(store), await newUser(store)];
      const made = await store.createDm({
        ...{ userIds: [one.id, other.id], makerId: one.id, now: NOW, maxPerDay: 0 },
      });
      assert(made.outcome === 'created');
      const roomId = made.room.id;
      await store.setPrefs({ roomId, userId: other.id, hidden: true });
      const text = { roomId, userId: one.id, cid: null, content: 'x', now: NOW };
      const mentions = { names: [[other.username]], room: null };
      const posted = await store.post({ ...text, mentions });
      expect(posted).toMatchObject({ outcome: 'stored', shown: [{ userId: other.id }] });
      await store.setBlock({ userId: other.id, blockedId: one.id, isBlocked: true });
      expect(await store.post({ ...text, mentions })).toEqual({ outcome: 'not_delivered' });
    });
  });

  describe('save', () => {
    it('a bookmark is its own, takes a number of the own log, and a repeat takes none', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const [said] = await say(store, { roomId: room.id, userId: user.id }, ['text']);
      const target = { roomId: room.id, messageId: said?.id ?? 0, actorId: user.id, now: NOW };
      const before = (await store.userLog({ userId: user.id, after: 0, limit: 1 })).seq;
      const saved = await store.save({ ...target, on: true, note: 'later' });
      expect(saved).toEqual({ outcome: 'saved', change: { userId: user.id, userSeq: before + 1 } });
      expect(await store.save({ ...target, on: true, note: 'later' })).toEqual({
        outcome: 'saved',
        change: undefined,
      });
      const { bookmarks } = await savedBy(store, user.id);
      expect(bookmarks).toMatchObject([{ note: 'later', savedAt: NOW, message: { id: said?.id } }]);
      expect(await savedBy(store, (await newUser(store)).id)).toMatchObject({ ids: [] });
      await store.save({ ...target, on: false });
      expect(await savedBy(store, user.id)).toMatchObject({ ids: [], hasMore: false });
    });

    it('a notice cannot be saved: message_not_found', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const of = { roomId: room.id, actorId: user.id, now: NOW };
      await store.changeRoom({ ...of, patch: { topic: 'bread' } });
      const [notice] = await store.messagesAfter({ roomId: room.id, seq: 0, limit: 1 });
      const saved = await store.save({ ...of, messageId: notice?.id ?? 0, on: true });
      expect(notice?.notice).toContain('bread');
      expect(saved).toEqual({ outcome: 'message_not_found' });
    });

    it('saved again without a note, it keeps the one that it has, also over a removal; an empty one removes it', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const [said] = await say(store, { roomId: room.id, userId: user.id }, ['text']);
      const target = { roomId: room.id, messageId: said?.id ?? 0, actorId: user.id, now: NOW };
      const noteAfter = async (bookmark: { on: boolean; note?: string }) => {
        await store.save({ ...target, ...bookmark });
        return (await savedBy(store, user.id)).bookmarks.map(({ note }) => note);
      };
      expect(await noteAfter({ on: true, note: 'later' })).toEqual(['later']);
      expect(await noteAfter({ on: true })).toEqual(['later']);
      expect(await noteAfter({ on: true, note: '' })).toEqual(['']);
      await noteAfter({ on: true, note: 'again' });
      expect(await noteAfter({ on: false })).toEqual([]);
      expect(await noteAfter({ on: true })).toEqual(['again']);
    });

    it('the latest saved or changed first, in pages', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const said = await say(store, { roomId: room.id, userId: user.id }, ['one', 'two', 'three']);
      const ids = said.map(({ id }) => id);
      const save = (messageId: number, note = '') =>
        store.save({ roomId: room.id, messageId, actorId: user.id, now: NOW, on: true, note });
      for (const id of ids) await save(id);
      await save(ids[0] ?? 0, 'a note');
      const first = await savedBy(store, user.id, { limit: 2 });
      expect(first).toMatchObject({ ids: [ids[0], ids[2]], hasMore: true });
      const before = first.bookmarks.at(-1)?.userSeq ?? 0;
      expect(await savedBy(store, user.id, { limit: 2, before })).toMatchObject({
        ids: [ids[1]],
        hasMore: false,
      });
    });

    it('of a room that the user may not see: room_not_found, and what was saved there is not listed', async () => {
      const { store } = subject();
      const owner = await newUser(store);
      const { room } = await (async () => {
        const created = await store.createRoom({
          ...{ name: `p${owner.id}`, key: `p${owner.id}`, looks: [], isDisguised: false },
          ...{ kind: 'private', topic: '', emoji: null, ownerId: owner.id, now: NOW, maxPerDay: 0 },
        });
        assert(created.outcome === 'created');
        return created;
      })();
      const member = await newUser(store);
      const [said] = await say(store, { roomId: room.id, userId: owner.id }, ['secret']);
      const target = { roomId: room.id, messageId: said?.id ?? 0, actorId: member.id, now: NOW };
      const save = () => store.save({ ...target, on: true, note: '' });
      expect(await save()).toEqual({ outcome: 'room_not_found' });
      await store.setMember({ roomId: room.id, actorId: owner.id, userId: member.id, now: NOW });
      expect(await save()).toMatchObject({ outcome: 'saved' });
      await store.removeMember({ roomId: room.id, actorId: owner.id, userId: member.id, now: NOW });
      expect(await savedBy(store, member.id)).toMatchObject({ ids: [] });
    });

    it('what was saved in rooms that the user has lost hides nothing that was saved before it', async () => {
      const { store } = subject();
      const { user: owner, room } = await newUserAndRoom(store);
      const lost = await newRoom(store, owner.id);
      const { id: actorId } = await newUser(store);
      await store.joinRoom({ roomId: lost.id, userId: actorId, now: NOW });
      const save = async (roomId: number, count: number) => {
        for (const { id: messageId } of await say(store, { roomId, userId: owner.id }, texts(count)))
          await store.save({ roomId, messageId, actorId, now: NOW, on: true, note: '' });
      };
      await save(room.id, 3);
      await save(lost.id, 120);
      await store.changeRoom({ roomId: lost.id, actorId: owner.id, patch: { kind: 'private' }, now: NOW });
      await store.removeMember({ roomId: lost.id, actorId: owner.id, userId: actorId, now: NOW });
      const page = await savedBy(store, actorId, { limit: 2 });
      expect(page).toMatchObject({ ids: [expect.any(Number), expect.any(Number)], hasMore: true });
      const before = page.bookmarks.at(-1)?.userSeq ?? 0;
      expect(await savedBy(store, actorId, { limit: 2, before })).toMatchObject({
        ...{ ids: [expect.any(Number)], hasMore: false },
      });
    });
  });
};
