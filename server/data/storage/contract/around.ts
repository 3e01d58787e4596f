import { describe, expect, it } from 'vitest';
import type { AroundPlace, MessageRow } from '../store.ts';
import { type ContractPart, NOW, newRoom, newUserAndRoom, say } from './subject.ts';

const seqsOf = (rows: readonly MessageRow[] | undefined) => rows?.map(({ seq }) => seq);

export const describeAround: ContractPart = (subject) => {
  /** A room whose texts were posted at these times after `NOW`, among others; seq 4 is a notice. */
  async function roomWithTimes() {
    const { store } = subject();
    const { user, room } = await newUserAndRoom(store);
    const other = await newRoom(store, user.id);
    const at = { roomId: room.id, userId: user.id, cid: null };
    const ids: number[] = [];
    for (const [index, after] of [0, 10, 10, 10, 20, 50, 50, 90].entries()) {
      await say(store, { roomId: other.id, userId: user.id }, ['other']);
      const now = NOW + after;
      if (index === 3)
        await store.changeRoom({ roomId: room.id, actorId: user.id, patch: { topic: 't' }, now });
      const posted = await store.append({ ...at, content: `${after}`, now });
      ids.push(posted.outcome === 'stored' ? posted.id : 0);
    }
    const around = async (place: AroundPlace, limit = 2) => {
      const found = await store.around({ roomId: room.id, limit, place });
      return found && { before: seqsOf(found.before), from: seqsOf(found.from), seq: found.seq };
    };
    return { store, user, room, other, ids, around };
  }

  describe('around', () => {
    it('a message: those before it, and those from it on, notices among them', async () => {
      const { ids, around } = await roomWithTimes();
      expect(await around({ id: ids[0] ?? 0 })).toEqual({ before: [], from: [1, 2], seq: 9 });
      expect(await around({ id: ids[3] ?? 0 })).toEqual({ before: [3, 4], from: [5, 6], seq: 9 });
      expect(await around({ id: ids[7] ?? 0 }, 3)).toEqual({ before: [6, 7, 8], from: [9], seq: 9 });
    });

    it('an id of another room, or of nothing, is null; a room that is not there is undefined', async () => {
      const { store, user, room, other, ids, around } = await roomWithTimes();
      const [foreign] = await say(store, { roomId: other.id, userId: user.id }, ['other']);
      for (const id of [foreign?.id ?? 0, Number.MAX_SAFE_INTEGER]) expect(await around({ id })).toBeNull();
      for (const place of [{ id: ids[0] ?? 0 }, { time: NOW }])
        expect(await store.around({ roomId: room.id + 1_000_000, limit: 1, place })).toBeUndefined();
    });

    it('a time: from the first message of that time or later; after the last one there is none', async () => {
      const { around } = await roomWithTimes();
      const firstOf = async (after: number) => (await around({ time: NOW + after }))?.from?.[0];
      expect(await firstOf(-1_000_000)).toBe(1);
      expect(await firstOf(0)).toBe(1);
      for (const after of [1, 9, 10]) expect(await firstOf(after)).toBe(2);
      expect(await firstOf(11)).toBe(6);
      expect(await firstOf(20)).toBe(6);
      expect(await firstOf(50)).toBe(7);
      expect(await firstOf(90)).toBe(9);
      expect(await around({ time: NOW + 91 })).toEqual({ before: [8, 9], from: [], seq: 9 });
    });

    it('a time in an empty room: nothing on either side', async () => {
      const { store } = subject();
      const { room } = await newUserAndRoom(store);
      const found = await store.around({ roomId: room.id, limit: 2, place: { time: NOW } });
      expect(found).toEqual({ before: [], from: [], seq: 0 });
    });
  });

  it('history with notices says whether there is something at the cursor or beyond it', async () => {
    const { store, room, ids } = await roomWithTimes();
    const query = { roomId: room.id, limit: 1, withNotices: true };
    const [first = 0, last = 0] = [ids[0], ids.at(-1)];
    const hasBeyond = async (cursor: object) => (await store.history({ ...query, ...cursor }))?.hasBeyond;
    expect(await hasBeyond({})).toBe(false);
    expect(await hasBeyond({ beforeId: last })).toBe(true);
    expect(await hasBeyond({ beforeId: last + 1 })).toBe(false);
    expect(await hasBeyond({ afterId: first })).toBe(true);
    expect(await hasBeyond({ afterId: first - 1 })).toBe(false);
  });
};
