import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { MessageExtra } from '../../../../protocol/events.ts';
import type { MentionsOf, MessageRow, Store } from '../store.ts';
import { type ContractPart, NOW, newUser, newUserAndRoom, newUsers, say } from './subject.ts';

/** A mention of everybody. */
const ALL: MentionsOf = { names: [], room: 'room' };

const extraOf = ({ facts }: MessageRow): MessageExtra => JSON.parse(facts?.extra ?? '{}');

async function post(store: Store, at: { roomId: number; userId: number }, mentions: MentionsOf) {
  const posted = await store.post({ ...at, cid: null, content: 'text', now: NOW, mentions });
  assert(posted.outcome === 'stored');
  return posted;
}

export const describeMentions: ContractPart = (subject) => {
  describe('mentions', () => {
    it('of each mention the first name that somebody has counts, and each person once', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const [ann, bo] = await newUsers(store, 2);
      assert(ann && bo);
      const names = [['nobody', ''], [`${bo.username}x`, bo.username], [ann.username], [bo.username]];
      const { message } = await post(store, { roomId: room.id, userId: user.id }, { names, room: null });
      expect(extraOf(message)).toEqual({ mentions: [bo.id, ann.id] });
      const [stored] = await store.messagesAfter({ roomId: room.id, seq: 0, limit: 1 });
      expect(stored).toEqual(message);
    });

    it('500 names are looked up at once, and nobody by none of them', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const names = Array.from({ length: 50 }, (_, one) =>
        Array.from({ length: 10 }, (_, other) => `nobody ${one} ${other}`),
      );
      const { message } = await post(store, { roomId: room.id, userId: user.id }, { names, room: null });
      expect(message.facts).toBeNull();
    });

    it('an edit replaces them, and a deletion removes them', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const ann = await newUser(store);
      const { id: messageId } = await post(store, { roomId: room.id, userId: user.id }, ALL);
      const target = { roomId: room.id, messageId, actorId: user.id, now: NOW };
      const edit = (baseRevision: number, content: string, mentions: MentionsOf | undefined) =>
        store.editMessage({ ...target, baseRevision, content, mentions });
      const toAnn = await edit(0, 'to ann', { names: [[ann.username]], room: null });
      assert('message' in toAnn);
      expect(extraOf(toAnn.message)).toEqual({ mentions: [ann.id] });
      const toNobody = await edit(1, 'to nobody', undefined);
      assert('message' in toNobody);
      expect(extraOf(toNobody.message)).toEqual({});
      await edit(2, 'to ann again', { names: [[ann.username]], room: null });
      const deleted = await store.deleteMessage(target);
      assert('message' in deleted);
      expect(extraOf(deleted.message)).toEqual({});
    });

    it('everybody is called in a room of 50; in a larger one by a moderator alone, and the text is posted', async () => {
      const { store } = subject();
      const { user: owner, room } = await newUserAndRoom(store);
      const members = await newUsers(store, 50);
      for (const { id: userId } of members.slice(1))
        await store.joinRoom({ roomId: room.id, userId, now: NOW });
      const [late, member] = members;
      assert(late && member);
      const byMember = () => post(store, { roomId: room.id, userId: member.id }, ALL);
      expect(extraOf((await byMember()).message)).toEqual({ mention_room: 'room' });
      await store.joinRoom({ roomId: room.id, userId: late.id, now: NOW });
      expect((await byMember()).message.facts).toBeNull();
      const byOwner = await post(store, { roomId: room.id, userId: owner.id }, { names: [], room: 'here' });
      expect(extraOf(byOwner.message)).toEqual({ mention_room: 'here' });
    });

    it('a text with mentions takes its place among those without, in the order of the calls', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const at = { roomId: room.id, userId: user.id };
      const [[first], called, [last]] = await Promise.all([
        say(store, at, ['before']),
        post(store, at, ALL),
        say(store, at, ['after']),
      ]);
      const seqs = [first?.seq ?? 0, called.seq, last?.seq ?? 0];
      expect(seqs).toEqual([1, 2, 3]);
    });
  });
};
