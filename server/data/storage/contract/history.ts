import { describe, expect, it } from 'vitest';
import type { HistoryRows, MessageRow } from '../store.ts';
import { type ContractPart, NOW, newRoom, newUserAndRoom, say, texts, unique } from './subject.ts';

const seqsOf = (read: MessageRow[] | HistoryRows | undefined) =>
  (read && 'rows' in read ? read.rows : read)?.map(({ seq }) => seq);

export const describeHistory: ContractPart = (subject) => {
  /** Two rooms whose messages alternate, so that neither one's ids are without gaps. */
  async function twoRooms() {
    const { store } = subject();
    const { user, room } = await newUserAndRoom(store);
    const other = await newRoom(store, user.id);
    const ids: number[] = [];
    for (let index = 1; index <= 10; index++) {
      const [mine] = await Promise.all([
        say(store, { roomId: room.id, userId: user.id }, [`mine ${index}`]),
        say(store, { roomId: other.id, userId: user.id }, [`other ${index}`]),
      ]);
      ids.push(mine[0]?.id ?? 0);
    }
    const idOf = (seq: number) => ids[seq - 1] ?? 0;
    return { store, user, room, other, idOf };
  }

  describe('history', () => {
    it('gives a message whole', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const message = { roomId: room.id, userId: user.id, cid: unique('cid'), content: 'hello' };
      const stored = await store.append({ ...message, now: NOW });
      if (stored.outcome !== 'stored') throw new Error(stored.outcome);
      const { id, seq } = stored;
      const row = {
        ...{ ...message, id, seq, changedSeq: seq, username: user.username, createdAt: NOW },
        notice: null,
        facts: null,
      };
      expect(await store.history({ roomId: room.id, limit: 1 })).toEqual({
        rows: [row],
        seq,
        hasBeyond: false,
      });
      expect(await store.messagesAfter({ roomId: room.id, seq: 0, limit: 1 })).toEqual([row]);
    });

    it('is ascending: the last ones, the last ones before an id, the first ones after an id', async () => {
      const { store, room, idOf } = await twoRooms();
      const roomId = room.id;
      expect(seqsOf(await store.history({ roomId, limit: 3 }))).toEqual([8, 9, 10]);
      expect(seqsOf(await store.history({ roomId, limit: 3, beforeId: idOf(8) }))).toEqual([5, 6, 7]);
      expect(seqsOf(await store.history({ roomId, limit: 3, beforeId: idOf(2) }))).toEqual([1]);
      expect(seqsOf(await store.history({ roomId, limit: 3, beforeId: idOf(1) }))).toEqual([]);
      expect(seqsOf(await store.history({ roomId, limit: 3, afterId: idOf(3) }))).toEqual([4, 5, 6]);
      expect(seqsOf(await store.history({ roomId, limit: 3, afterId: idOf(9) }))).toEqual([10]);
      expect(seqsOf(await store.history({ roomId, limit: 3, afterId: idOf(10) }))).toEqual([]);
    });

    it('takes an id of another room, or of nothing, as a place in the order', async () => {
      const { store, room, other, idOf } = await twoRooms();
      const roomId = other.id;
      expect(seqsOf(await store.history({ roomId, limit: 2, beforeId: idOf(5) }))).toEqual([3, 4]);
      expect(seqsOf(await store.history({ roomId, limit: 2, afterId: idOf(5) }))).toEqual([5, 6]);
      const last = { roomId: room.id, limit: 1 };
      expect(seqsOf(await store.history({ ...last, beforeId: Number.MAX_SAFE_INTEGER }))).toEqual([10]);
      expect(seqsOf(await store.history({ ...last, afterId: Number.MAX_SAFE_INTEGER }))).toEqual([]);
      expect(seqsOf(await store.history({ ...last, beforeId: 1 }))).toEqual([]);
    });

    it('pages meet without overlap, in both directions', async () => {
      const { store, user, room } = await twoRooms();
      await say(store, { roomId: room.id, userId: user.id }, texts(13));
      const all = Array.from({ length: 23 }, (_, index) => index + 1);
      const roomId = room.id;
      const back: MessageRow[] = [];
      for (;;) {
        const page = (await store.history({ roomId, limit: 4, beforeId: back[0]?.id }))?.rows;
        if (!page?.length) break;
        back.unshift(...page);
      }
      expect(seqsOf(back)).toEqual(all);
      const forth: MessageRow[] = [];
      for (;;) {
        const page = (await store.history({ roomId, limit: 4, afterId: forth.at(-1)?.id ?? 0 }))?.rows;
        if (!page?.length) break;
        forth.push(...page);
      }
      expect(forth).toEqual(back);
    });

    it('of an empty room is empty; of a room that does not exist it is undefined', async () => {
      const { store } = subject();
      const { room } = await newUserAndRoom(store);
      const unknownId = Number.MAX_SAFE_INTEGER;
      for (const cursor of [{}, { beforeId: 9 }, { afterId: 9 }]) {
        expect(await store.history({ roomId: room.id, limit: 200, ...cursor })).toEqual({
          ...{ rows: [], seq: 0, hasBeyond: false },
        });
        expect(await store.history({ roomId: unknownId, limit: 200, ...cursor })).toBeUndefined();
      }
      for (const roomId of [room.id, unknownId]) {
        expect(await store.messagesAfter({ roomId, seq: 0, limit: 200 })).toEqual([]);
      }
    });
  });

  describe('messagesAfter', () => {
    it('gives what is after a seq, in its order, at most `limit`', async () => {
      const { store, room } = await twoRooms();
      const roomId = room.id;
      expect(seqsOf(await store.messagesAfter({ roomId, seq: 0, limit: 4 }))).toEqual([1, 2, 3, 4]);
      expect(seqsOf(await store.messagesAfter({ roomId, seq: 4, limit: 4 }))).toEqual([5, 6, 7, 8]);
      expect(seqsOf(await store.messagesAfter({ roomId, seq: 8, limit: 4 }))).toEqual([9, 10]);
      expect(seqsOf(await store.messagesAfter({ roomId, seq: 10, limit: 4 }))).toEqual([]);
      expect(seqsOf(await store.messagesAfter({ roomId, seq: 1e15, limit: 4 }))).toEqual([]);
    });
  });

  it('messagesAfter: of long ones as many as have `maxBytes` together, but always the first', async () => {
    const { store } = subject();
    const { user, room } = await newUserAndRoom(store);
    const at = { roomId: room.id, userId: user.id };
    await say(store, at, ['\u{1F600}'.repeat(100), 'x'.repeat(399), 'y', 'z'.repeat(4000)]);
    const read = async (seq: number, maxBytes: number) =>
      seqsOf(await store.messagesAfter({ roomId: room.id, seq, limit: 4, maxBytes }));
    expect(await read(0, 399)).toEqual([1]);
    expect(await read(0, 798)).toEqual([1]);
    expect(await read(0, 799)).toEqual([1, 2]);
    expect(await read(0, 800)).toEqual([1, 2, 3]);
    expect(await read(3, 1)).toEqual([4]);
    expect(await read(4, 1)).toEqual([]);
    expect(await read(0, 1e9)).toEqual([1, 2, 3, 4]);
  });

  describe('a page and the head that it names', () => {
    it('are of one state, while others write', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      let isOver = false;
      const write = async () => {
        for (let round = 0; round < 40; round++)
          await say(store, { roomId: room.id, userId: user.id }, texts(20));
        isOver = true;
      };
      const read = async () => {
        while (!isOver) {
          const page = await store.history({ roomId: room.id, limit: 1 });
          expect(page?.rows.at(-1)?.seq ?? 0).toBe(page?.seq);
        }
      };
      await Promise.all([write(), read(), read(), read()]);
    });
  });

  describe('a read sees every write that resolved before the read was called', () => {
    it('whichever read, under concurrent writes', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const at = { roomId: room.id, userId: user.id };
      async function talk(): Promise<void> {
        for (let round = 0; round < 50; round++) {
          const { seq, id } = (await say(store, at, ['said']))[0] ?? { seq: 0, id: 0 };
          const [found, listed, last, after, later] = await Promise.all([
            store.findRoom(room.id),
            store.listRooms({ limit: 1, beforeId: room.id + 1, userId: user.id }),
            store.history({ roomId: room.id, limit: 1 }),
            store.history({ roomId: room.id, limit: 1, afterId: id - 1 }),
            store.messagesAfter({ roomId: room.id, seq: seq - 1, limit: 1 }),
          ]);
          expect(found?.seq).toBeGreaterThanOrEqual(seq);
          expect(listed[0]?.seq).toBeGreaterThanOrEqual(seq);
          expect(last?.rows[0]?.seq).toBeGreaterThanOrEqual(seq);
          expect([after?.rows[0]?.id, later[0]?.id]).toEqual([id, id]);
        }
      }
      await Promise.all([talk(), talk(), talk()]);
    });
  });
};
