import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { MessageExtra } from '../../../../protocol/events.ts';
import { PINS_MAX, REACTIONS_MAX, REVISIONS_MAX } from '../../../../protocol/limits.ts';
import type { MessageChange, MessageRow, Store, UserRow } from '../store.ts';
import { type ContractPart, HOSTILE_TEXTS, HOUR, NOW, newUser, newUserAndRoom, say } from './subject.ts';

const LATER = NOW + HOUR;

/** Edits, deletions, reactions and pins of one text in a room of its own. */
async function furnished(store: Store, content = 'the text') {
  const { user: author, room } = await newUserAndRoom(store);
  const roomId = room.id;
  const [said] = await say(store, { roomId, userId: author.id }, [content]);
  assert(said);
  const target = (actor: UserRow, now = LATER) => ({ roomId, messageId: said.id, actorId: actor.id, now });
  const read = async () => {
    const message = await store.message({ roomId, messageId: said.id });
    assert(message);
    return message;
  };
  return { author, roomId, said, target, read };
}

function changedIn(change: MessageChange): MessageRow {
  assert(change.outcome === 'changed', change.outcome);
  return change.message;
}

function extraOf({ facts }: MessageRow): MessageExtra {
  return JSON.parse(facts?.extra ?? '{}');
}

export const describeMessageChanges: ContractPart = (subject) => {
  describe('editMessage', () => {
    it("takes the room's next number, and the message keeps its place, its time and its author", async () => {
      const { store } = subject();
      const { author, roomId, said, target, read } = await furnished(store);
      await say(store, { roomId, userId: author.id }, ['another']);
      const changed = changedIn(
        await store.editMessage({ ...target(author), content: 'corrected', baseRevision: 0 }),
      );
      expect(changed).toMatchObject({
        id: said.id,
        seq: 1,
        changedSeq: 3,
        content: 'corrected',
        createdAt: NOW,
      });
      expect(changed.facts).toMatchObject({ revision: 1, editedAt: LATER, deletedAt: null, extra: null });
      expect(await read()).toEqual(changed);
      expect(await store.messagesAfter({ roomId, seq: 2, limit: 10 })).toEqual([changed]);
      const [next] = await say(store, { roomId, userId: author.id }, ['next']);
      expect(next).toMatchObject({ seq: 4, number: 3 });
    });

    it('keeps the texts before, each with its time, and at most 50', async () => {
      const { store } = subject();
      const { author, roomId, said, target } = await furnished(store, HOSTILE_TEXTS[0]);
      const of = { roomId, messageId: said.id };
      const edits = [
        ...HOSTILE_TEXTS.slice(1),
        ...Array.from({ length: REVISIONS_MAX }, (_, n) => `edit ${n}`),
      ];
      for (const [baseRevision, content] of edits.entries()) {
        const edit = { ...target(author, LATER + baseRevision), content, baseRevision };
        expect(await store.editMessage(edit)).toMatchObject({ outcome: 'changed' });
        if (baseRevision === 1)
          expect(await store.revisions(of)).toEqual([
            { revision: 0, content: HOSTILE_TEXTS[0], editedAt: NOW },
            { revision: 1, content: HOSTILE_TEXTS[1], editedAt: LATER },
          ]);
      }
      const kept = await store.revisions(of);
      expect(kept).toHaveLength(REVISIONS_MAX);
      expect(kept.at(-1)).toMatchObject({ revision: edits.length - 1, content: edits.at(-2) });
    });

    it('an edit of another revision changes nothing; the same text again takes no number', async () => {
      const { store } = subject();
      const { author, roomId, target, read } = await furnished(store);
      const edit = (content: string, baseRevision: number) =>
        store.editMessage({ ...target(author), content, baseRevision });
      const changed = changedIn(await edit('mine', 0));
      expect(await edit('mine', 0)).toEqual({ outcome: 'unchanged', message: changed });
      expect(await edit('other', 0)).toEqual({ outcome: 'message_changed' });
      expect(await read()).toEqual(changed);
      expect(await store.revisions({ roomId, messageId: changed.id })).toHaveLength(1);
    });

    it('replaces whom the text mentions', async () => {
      const { store } = subject();
      const { author, target } = await furnished(store);
      const mentions = { names: [[author.username]], room: 'here' } as const;
      const edit = { ...target(author), content: '@me @here', baseRevision: 0, mentions };
      expect(extraOf(changedIn(await store.editMessage(edit)))).toEqual({
        mentions: [author.id],
        mention_room: 'here',
      });
      const again = { ...target(author), content: 'nobody', baseRevision: 1 };
      expect(changedIn(await store.editMessage(again)).facts?.extra).toBeNull();
    });

    it('of others: not_allowed; of a text that is not in this room, or a notice: message_not_found', async () => {
      const { store } = subject();
      const { author, roomId, target } = await furnished(store);
      const other = await newUser(store);
      const edit = { content: 'x', baseRevision: 0 };
      expect(await store.editMessage({ ...target(other), ...edit })).toEqual({ outcome: 'not_allowed' });
      const elsewhere = await furnished(store);
      const wrong = { ...target(author), messageId: elsewhere.said.id };
      expect(await store.editMessage({ ...wrong, ...edit })).toEqual({ outcome: 'message_not_found' });
      await store.changeRoom({ roomId, actorId: author.id, patch: { topic: 'new' }, now: NOW });
      const [notice] = await store.messagesAfter({ roomId, seq: 1, limit: 1 });
      const ofNotice = { ...target(author), messageId: notice?.id ?? 0 };
      expect(await store.editMessage({ ...ofNotice, ...edit })).toEqual({ outcome: 'message_not_found' });
      expect(await store.editMessage({ ...target(author), ...edit, roomId: 999_999_999 })).toEqual({
        outcome: 'room_not_found',
      });
    });

    it('the repeat of a cid after an edit or a deletion is a duplicate, whatever its text', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const text = { roomId: room.id, userId: user.id, cid: 'c', content: 'first', now: NOW };
      const said = await store.append(text);
      assert(said.outcome === 'stored');
      expect(await store.append({ ...text, content: 'other' })).toEqual({ outcome: 'cid_conflict' });
      const target = { roomId: room.id, messageId: said.id, actorId: user.id, now: NOW };
      await store.editMessage({ ...target, content: 'second', baseRevision: 0 });
      expect(await store.append(text)).toMatchObject({ outcome: 'duplicate', id: said.id });
      await store.deleteMessage(target);
      expect(await store.append(text)).toMatchObject({ outcome: 'duplicate', id: said.id });
      expect(await store.post({ ...text, replyTo: said.id })).toMatchObject({ outcome: 'duplicate' });
    });
  });

  describe('deleteMessage', () => {
    it('leaves the place, the author and the time; text, earlier texts, reactions, pin and mentions are gone', async () => {
      const { store } = subject();
      const { author, roomId, said, target, read } = await furnished(store);
      const mentions = { names: [[author.username]], room: null };
      await store.editMessage({ ...target(author), content: 'second', baseRevision: 0, mentions });
      await store.react({ ...target(author), emoji: '🦊', on: true });
      await store.pin({ ...target(author), on: true });
      const deleted = changedIn(await store.deleteMessage(target(author)));
      expect(deleted).toMatchObject({
        ...{ id: said.id, seq: 1, changedSeq: 5, userId: author.id, content: '', createdAt: NOW },
        facts: { deletedAt: LATER, deletedBy: author.id, editedAt: null, pinnedAt: null, extra: null },
      });
      const of = { roomId, messageId: said.id };
      expect(await store.revisions(of)).toEqual([]);
      expect(await store.reactionsOf(of)).toEqual([]);
      expect(await store.pins({ roomId })).toEqual([]);
      expect(await read()).toEqual(deleted);
      expect(await store.deleteMessage(target(author))).toEqual({ outcome: 'unchanged', message: deleted });
    });

    it('a deleted text that was the last one of its room stays that in lists, without its content', async () => {
      const { store } = subject();
      const { author, roomId, target } = await furnished(store);
      const [last] = await say(store, { roomId, userId: author.id }, ['the last']);
      await store.deleteMessage({ ...target(author), messageId: last?.id ?? 0 });
      const [entry] = await store.entries({ userId: author.id, maxDms: 9 });
      expect(entry?.last).toMatchObject({ seq: 2, userId: author.id, start: '', createdAt: NOW });
    });

    it('moderators delete texts of others; what was deleted cannot be changed', async () => {
      const { store } = subject();
      const { author: owner, roomId, target } = await furnished(store);
      const member = await newUser(store);
      const [said] = await say(store, { roomId, userId: member.id }, ['of a member']);
      expect(await store.deleteMessage(target(member))).toEqual({ outcome: 'not_allowed' });
      const ofMember = { ...target(owner), messageId: said?.id ?? 0 };
      expect(changedIn(await store.deleteMessage(ofMember)).facts?.deletedBy).toBe(owner.id);
      const own = { ...ofMember, actorId: member.id };
      expect(await store.editMessage({ ...own, content: 'x', baseRevision: 0 })).toEqual({
        outcome: 'message_changed',
      });
      expect(await store.react({ ...own, emoji: '🦊', on: true })).toEqual({ outcome: 'message_not_found' });
      expect(await store.pin({ ...ofMember, on: true })).toEqual({ outcome: 'message_not_found' });
    });
  });

  describe('react', () => {
    it('a reaction takes a number; one that is there, or is not there to be taken back, takes none', async () => {
      const { store } = subject();
      const { author, roomId, said, target } = await furnished(store);
      const react = (on: boolean, emoji = '🦊') => store.react({ ...target(author), emoji, on });
      const added = changedIn(await react(true));
      expect(added).toMatchObject({
        changedSeq: 2,
        reaction: { emoji: '🦊', userId: author.id, on: true, count: 1 },
      });
      expect(await react(true)).toMatchObject({ outcome: 'unchanged' });
      expect(await react(false, '🐻')).toMatchObject({ outcome: 'unchanged' });
      const taken = changedIn(await react(false));
      expect(taken).toMatchObject({ changedSeq: 3, reaction: { on: false, count: 0 }, facts: null });
      expect(await store.reactionsOf({ roomId, messageId: said.id })).toEqual([]);
    });

    it('what was stored before emoji had one form is read as it is, and goes with the one form', async () => {
      const { store } = subject();
      const { author, roomId, said, target, read } = await furnished(store);
      const other = await newUser(store);
      const [bare, heart] = ['\u2764', '\u2764\uFE0F'];
      await store.react({ ...target(author), emoji: bare, on: true });
      await store.react({ ...target(other), emoji: bare, on: true });
      await store.react({ ...target(author), emoji: heart, on: true });
      const counts = async () =>
        (await store.reactionsOf({ roomId, messageId: said.id })).map(({ emoji, count }) => [emoji, count]);
      expect(await counts()).toEqual([
        [bare, 2],
        [heart, 1],
      ]);
      const both = changedIn(await store.react({ ...target(author), emoji: heart, on: false }));
      expect(both.reaction).toBeUndefined();
      expect(extraOf(both).reactions).toEqual([{ emoji: bare, count: 1, user_ids: [other.id] }]);
      expect(await counts()).toEqual([[bare, 1]]);
      const last = changedIn(await store.react({ ...target(other), emoji: heart, on: false }));
      expect(last.reaction).toEqual({ emoji: bare, userId: other.id, on: false, count: 0 });
      expect(extraOf(await read()).reactions).toBeUndefined();
      expect(await counts()).toEqual([]);
    });

    it('a hundred people at once: the counts are those of the rows, and the first 20 people are named', async () => {
      const { store } = subject();
      const { roomId, said, target, read } = await furnished(store);
      const people = await Promise.all(Array.from({ length: 100 }, () => newUser(store)));
      const emojis = ['👍', '🦊', '🐻‍❄️'];
      const react = (person: UserRow, index: number, on: boolean) =>
        store.react({ ...target(person, LATER + index), emoji: emojis[index % 3] ?? '', on });
      await Promise.all(people.map((person, index) => react(person, index, true)));
      await Promise.all(people.slice(0, 30).map((person, index) => react(person, index, false)));
      const of = { roomId, messageId: said.id };
      const rows = await store.reactionsOf(of);
      const summary = extraOf(await read()).reactions ?? [];
      expect(Object.fromEntries(summary.map(({ emoji, count }) => [emoji, count]))).toEqual(
        Object.fromEntries(rows.map(({ emoji, people: named }) => [emoji, named.length])),
      );
      expect(summary.reduce((sum, { count }) => sum + count, 0)).toBe(70);
      for (const { emoji, user_ids: ids } of summary) {
        expect(ids).toHaveLength(20);
        const named = rows.find((row) => row.emoji === emoji)?.people.map(({ userId }) => userId) ?? [];
        expect(named).toEqual(expect.arrayContaining(ids));
      }
      const last = people.at(-1)?.id ?? 0;
      const own = (await store.reactionsOf({ ...of, userId: last })).flatMap((row) => row.people.slice(0, 1));
      expect(own.filter(({ userId }) => userId === last)).toHaveLength(1);
    });

    it('at most 20 different emoji a message', async () => {
      const { store } = subject();
      const { author, target } = await furnished(store);
      const react = (place: number, on = true) =>
        store.react({ ...target(author), emoji: String.fromCodePoint(0x1f600 + place), on });
      for (let place = 0; place < REACTIONS_MAX; place++)
        expect(await react(place)).toMatchObject({ outcome: 'changed' });
      expect(await react(REACTIONS_MAX)).toEqual({ outcome: 'too_many' });
      expect(await react(0, false)).toMatchObject({ outcome: 'changed' });
      expect(await react(REACTIONS_MAX)).toMatchObject({ outcome: 'changed' });
    });
  });

  describe('pin', () => {
    it('the latest pinned first; at most 100 a room', async () => {
      const { store } = subject();
      const { author, roomId, said, target } = await furnished(store);
      const more = await say(store, { roomId, userId: author.id }, Array(PINS_MAX).fill('more'));
      for (const [index, { id }] of more.entries())
        await store.pin({ ...target(author, LATER + index), messageId: id, on: true });
      expect(await store.pin({ ...target(author), on: true })).toEqual({ outcome: 'too_many' });
      const pins = await store.pins({ roomId });
      expect(pins.map(({ id }) => id)).toEqual(more.map(({ id }) => id).reverse());
      const first = { ...target(author), messageId: more[0]?.id ?? 0 };
      expect(await store.pin({ ...first, on: true })).toMatchObject({ outcome: 'unchanged' });
      expect(changedIn(await store.pin({ ...first, on: false })).facts).toBeNull();
      expect(changedIn(await store.pin({ ...target(author), on: true })).facts?.pinnedAt).toBe(LATER);
      expect((await store.pins({ roomId })).map(({ id }) => id)).toContain(said.id);
    });
  });
};
