import { describe, expect, it } from 'vitest';
import type { NewMessage, Store } from '../store.ts';
import {
  type ContractPart,
  HOSTILE_TEXTS,
  NOW,
  newRoom,
  newUser,
  newUserAndRoom,
  say,
  texts,
  unique,
  wholeRoom,
} from './subject.ts';

const NOBODY = Number.MAX_SAFE_INTEGER;

/** Appends all in one turn, so that they may share a commit. */
function appendAll(store: Store, messages: NewMessage[]) {
  return Promise.all(messages.map((message) => store.append(message)));
}

export const describeAppend: ContractPart = (subject) => {
  describe('append: numbers', () => {
    it("gives each room's messages the seqs 1, 2, 3, …, and ascending ids", async () => {
      const { store } = subject();
      const user = await newUser(store);
      const rooms = [await newRoom(store, user.id), await newRoom(store, user.id)];
      const seqs = new Map<number, number[]>(rooms.map(({ id }) => [id, []]));
      const lastIds = new Map<number, number>();
      for (let round = 0; round < 5; round++) {
        const messages = Array.from({ length: 60 }, (_, index) => {
          const roomId = rooms[(index * 7 + round) % 3 === 0 ? 0 : 1]?.id ?? 0;
          return { roomId, userId: user.id, cid: null, content: `${round} ${index}`, now: NOW };
        });
        for (const [index, outcome] of (await appendAll(store, messages)).entries()) {
          if (outcome.outcome !== 'stored') throw new Error(outcome.outcome);
          const roomId = messages[index]?.roomId ?? 0;
          expect(outcome.id).toBeGreaterThan(lastIds.get(roomId) ?? 0);
          lastIds.set(roomId, outcome.id);
          seqs.get(roomId)?.push(outcome.seq);
        }
      }
      for (const [roomId, given] of seqs) {
        expect(given).toEqual(given.map((_, index) => index + 1));
        expect((await store.findRoom(roomId))?.seq).toBe(given.length);
        expect((await wholeRoom(store, roomId)).map(({ seq }) => seq)).toEqual(given);
      }
    });

    it('resolves in the order of the calls, which is the order of seq', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const resolved: number[] = [];
      const appended = texts(2500).map(async (content) => {
        const outcome = await store.append({
          roomId: room.id,
          userId: user.id,
          cid: null,
          content,
          now: NOW,
        });
        if (outcome.outcome === 'stored') resolved.push(outcome.seq);
      });
      await Promise.all(appended);
      expect(resolved).toEqual(resolved.map((_, index) => index + 1));
      expect((await wholeRoom(store, room.id)).map(({ content }) => content)).toEqual(texts(2500));
    });

    it('goes on from the same numbers after a restart', async () => {
      const { user, room } = await newUserAndRoom(subject().store);
      const at = { roomId: room.id, userId: user.id };
      const before = await say(subject().store, at, texts(3));
      await subject().reopen();
      const after = await say(subject().store, at, texts(1));
      expect(after[0]?.seq).toBe(4);
      expect(after[0]?.id).toBeGreaterThan(before[2]?.id ?? 0);
    });

    it('keeps the text and the cid exactly', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const contents = [...HOSTILE_TEXTS, '  spaces  ', '𝕏'.repeat(4000), 'é'.normalize('NFD')];
      const messages = contents.map((content, index) => ({
        ...{ roomId: room.id, userId: user.id, content, now: NOW },
        cid: `${HOSTILE_TEXTS[index] ?? 'c'}${index}`,
      }));
      await appendAll(store, messages);
      const kept = await wholeRoom(store, room.id);
      expect(kept.map(({ content, cid }) => ({ content, cid }))).toEqual(
        messages.map(({ content, cid }) => ({ content, cid })),
      );
    });
  });

  describe('append: created_at', () => {
    const times = [NOW, NOW - 60_000, NOW + 5, 0, NOW + 4, NOW + 6];
    const kept = [NOW, NOW, NOW + 5, NOW + 5, NOW + 5, NOW + 6];

    async function createdAts(appendOne: (now: number) => ReturnType<Store['append']>, together: boolean) {
      const outcomes = together ? await Promise.all(times.map(appendOne)) : [];
      if (!together) for (const now of times) outcomes.push(await appendOne(now));
      return outcomes.map((outcome) => (outcome.outcome === 'stored' ? outcome.createdAt : outcome));
    }

    it.each([true, false])(
      "is never earlier than the room's last one (in one batch: %s)",
      async (together) => {
        const { store } = subject();
        const { user, room } = await newUserAndRoom(store);
        const message = { roomId: room.id, userId: user.id, cid: null, content: 'tick' };
        expect(await createdAts((now) => store.append({ ...message, now }), together)).toEqual(kept);
        expect((await wholeRoom(store, room.id)).map(({ createdAt }) => createdAt)).toEqual(kept);
      },
    );

    it('is kept over a restart, and by each room for itself', async () => {
      const { user, room } = await newUserAndRoom(subject().store);
      const message = { userId: user.id, cid: null, content: 'tick' };
      await subject().store.append({ ...message, roomId: room.id, now: NOW });
      await subject().reopen();
      const { store } = subject();
      const other = await newRoom(store, user.id);
      const [late, elsewhere] = await appendAll(store, [
        { ...message, roomId: room.id, now: NOW - 1 },
        { ...message, roomId: other.id, now: NOW - 1 },
      ]);
      expect(late).toMatchObject({ outcome: 'stored', createdAt: NOW });
      expect(elsewhere).toMatchObject({ outcome: 'stored', createdAt: NOW - 1 });
    });
  });

  describe('append: cid', () => {
    it('a repeat returns the numbers of the first one: in one batch, in a later one, after a restart', async () => {
      const { user, room } = await newUserAndRoom(subject().store);
      const message = { roomId: room.id, userId: user.id, cid: 'c', content: 'once', now: NOW };
      const [first, twin] = await appendAll(subject().store, [message, message]);
      if (first?.outcome !== 'stored') throw new Error('the first one was not stored');
      const { isMember, ...place } = first;
      const duplicate = { ...place, outcome: 'duplicate' };
      expect(twin).toEqual(duplicate);
      const between = await say(subject().store, message, ['between']);
      expect(between[0]?.seq).toBe(2);
      expect(await subject().store.append({ ...message, now: NOW + 1000 })).toEqual(duplicate);
      await subject().reopen();
      expect(await subject().store.append(message)).toEqual(duplicate);
      expect(await wholeRoom(subject().store, room.id)).toHaveLength(2);
      expect((await subject().store.findRoom(room.id))?.seq).toBe(2);
    });

    it('with other content it is a conflict that changes nothing: in one batch, in a later one, after a restart', async () => {
      const { user, room } = await newUserAndRoom(subject().store);
      const message = { roomId: room.id, userId: user.id, cid: 'c', content: 'first', now: NOW };
      const conflict = { outcome: 'cid_conflict' };
      const outcomes = await appendAll(subject().store, [
        message,
        { ...message, content: 'other' },
        { ...message, cid: 'd' },
      ]);
      expect(outcomes).toMatchObject([
        { outcome: 'stored', seq: 1 },
        conflict,
        { outcome: 'stored', seq: 2 },
      ]);
      expect(await subject().store.append({ ...message, content: 'First' })).toEqual(conflict);
      await subject().reopen();
      expect(await subject().store.append({ ...message, content: 'first ' })).toEqual(conflict);
      expect(await subject().store.append(message)).toMatchObject({ outcome: 'duplicate', seq: 1 });
      expect((await wholeRoom(subject().store, room.id)).map(({ content }) => content)).toEqual([
        'first',
        'first',
      ]);
    });

    it('is unique per user and room', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const [otherUser, otherRoom] = [await newUser(store), await newRoom(store, user.id)];
      const message = { roomId: room.id, userId: user.id, cid: 'c', content: 'mine', now: NOW };
      const outcomes = await appendAll(store, [
        message,
        { ...message, userId: otherUser.id, content: 'theirs' },
        { ...message, roomId: otherRoom.id, content: 'elsewhere' },
        { ...message, cid: 'C' },
      ]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored', 'stored']);
    });

    it('null never conflicts', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const stored = await say(store, { roomId: room.id, userId: user.id }, ['same', 'same', 'same']);
      expect(stored.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    });
  });

  describe('append: a bad item of a batch fails alone', () => {
    it('no such room, no such user, a conflict: the others are stored, without a gap', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const good = { roomId: room.id, userId: user.id, cid: null, content: 'good', now: NOW };
      const outcomes = await appendAll(store, [
        { ...good, cid: 'c' },
        { ...good, roomId: NOBODY },
        { ...good, userId: NOBODY },
        { ...good, userId: NOBODY, cid: 'c' },
        { ...good, roomId: NOBODY, userId: NOBODY, cid: 'c' },
        good,
        { ...good, cid: 'c', content: 'other' },
        { ...good, roomId: 0 },
        { ...good, userId: -1 },
        good,
      ]);
      expect(outcomes.map((result) => (result.outcome === 'stored' ? result.seq : result.outcome))).toEqual([
        1,
        'room_not_found',
        'user_not_found',
        'user_not_found',
        'room_not_found',
        2,
        'cid_conflict',
        'room_not_found',
        'user_not_found',
        3,
      ]);
      expect(await wholeRoom(store, room.id)).toHaveLength(3);
    });

    it('a command that throws: it is rejected, and what others said in the same batch is stored', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const at = { roomId: room.id, userId: user.id };
      const session = {
        ...{ userId: user.id, passwordHash: 'hash', userAgent: '' },
        ...{ refreshHash: unique('token'), expiresAt: NOW, now: NOW },
      };
      // The second one is refused by its refresh token, which is there already.
      await store.createSession(session);
      const [before, failed, after] = await Promise.allSettled([
        say(store, at, texts(20)),
        store.createSession(session),
        say(store, at, texts(20)),
      ]);
      expect(failed.status).toBe('rejected');
      expect([before.status, after.status]).toEqual(['fulfilled', 'fulfilled']);
      expect((await wholeRoom(store, room.id)).map(({ seq }) => seq)).toEqual(
        texts(40).map((_, at) => at + 1),
      );
    });

    it('writes of a room take effect in the order of the calls, also within one batch', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const message = { roomId: room.id, userId: user.id, cid: null, content: 'hello', now: NOW };
      const archive = { roomId: room.id, actorId: user.id, patch: { archived: true }, now: NOW };
      const [before, archived, after] = await Promise.all([
        store.append(message),
        store.changeRoom(archive),
        store.append(message),
      ]);
      expect(before).toMatchObject({ outcome: 'stored', seq: 1 });
      expect(archived).toMatchObject({ outcome: 'changed', room: { seq: 2 } });
      expect(after).toEqual({ outcome: 'not_allowed' });
    });
  });
};
