import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RoomWrite } from '../../data/search/search-index.ts';
import { newUserAndRoom, say } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { LostCursor, type Progress } from '../consumers/work.ts';
import { consumeTogether } from './together.ts';

let opened: TemporaryStore;
beforeAll(async () => {
  opened = await openTemporaryStore();
});
afterAll(async () => await opened?.dispose());

/** Takes what it gets, but for a room that it refuses and one that it does not know any more. */
class Taken {
  readonly groups: RoomWrite[][] = [];
  refused = 0;
  lost = 0;

  async writeAll(writes: readonly RoomWrite[]): Promise<boolean[]> {
    if (writes.some(({ move }) => move.roomId === this.refused)) throw new Error('refused');
    this.groups.push([...writes]);
    return writes.map(({ move }) => move.roomId !== this.lost);
  }

  /** The messages that were written, in their order. */
  get of(): (roomId: number) => number[] {
    return (roomId) =>
      this.groups
        .flat()
        .filter(({ move }) => move.roomId === roomId)
        .flatMap(({ entries }) => entries.map(({ messageId }) => messageId));
  }
}

async function furnished(texts: string[]) {
  const { user, room } = await newUserAndRoom(opened.store);
  const said = await say(opened.store, { roomId: room.id, userId: user.id }, texts);
  return { roomId: room.id, ids: said.map(({ id }) => id) };
}

async function consume(index: Taken, rooms: number[]): Promise<PromiseSettledResult<Progress>[]> {
  const ends = rooms.map(
    (roomId) =>
      new Promise<Progress>((resolve, reject) => {
        asked.push({ roomId, at: 0, stored: 0, resolve, reject });
      }),
  );
  const settled = Promise.allSettled(ends);
  await consumeTogether(asked.splice(0), { store: opened.store, index });
  return await settled;
}
const asked: Parameters<typeof consumeTogether>[0][number][] = [];

const done = (to: number) => ({ status: 'fulfilled', value: { at: to, stored: to, head: to } });

it('writes the news of several rooms together, and each room in its order', async () => {
  const rooms = [await furnished(['a', 'b', 'c']), await furnished(['d']), await furnished(['e', 'f'])];
  const index = new Taken();
  const ends = await consume(
    index,
    rooms.map(({ roomId }) => roomId),
  );
  expect(ends).toEqual([done(3), done(1), done(2)]);
  expect(index.groups).toHaveLength(1);
  for (const { roomId, ids } of rooms) expect(index.of(roomId)).toEqual(ids);
});

it('what is long is written in parts, and the cursor moves with the last one', async () => {
  const long = await furnished(Array.from({ length: 20 }, (_, index) => `${index} ${'long '.repeat(780)}`));
  const short = await furnished(['short']);
  const index = new Taken();
  expect(await consume(index, [long.roomId, short.roomId])).toEqual([done(20), done(1)]);
  expect(index.of(long.roomId)).toEqual(long.ids);
  const moves = index.groups.flat().filter(({ move }) => move.roomId === long.roomId);
  expect(moves.length).toBeGreaterThan(1);
  expect(moves.map(({ move }) => move.to)).toEqual([...moves.slice(1).map(() => 0), 20]);
});

it('a room that cannot be written, or whose cursor is elsewhere, takes no other one with it', async () => {
  const rooms = [await furnished(['a']), await furnished(['b']), await furnished(['c']), await furnished([])];
  const [one, refused, lost, empty] = rooms.map(({ roomId }) => roomId);
  const index = new Taken();
  Object.assign(index, { refused, lost });
  const ends = await consume(index, [one ?? 0, refused ?? 0, lost ?? 0, empty ?? 0, 1_000_000]);
  expect(ends[0]).toEqual(done(1));
  expect(ends[1]).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
  expect(ends[2]).toMatchObject({ status: 'rejected', reason: expect.any(LostCursor) });
  expect(ends.slice(3)).toEqual([done(0), done(0)]);
});
