import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRoom, newUser } from '../contract/subject.ts';
import { type PeopleCursor, searchPeoplePiece } from '../queries/people.ts';
import type { Store } from '../store.ts';
import { databaseFile } from './data-dir.ts';
import { openForWriting, StepRunner, transaction } from './database.ts';
import type { Sqlite } from './driver/driver.ts';
import { Piecewise } from './piecewise.ts';
import { openTemporaryStore, type TemporaryStore } from './temporary-store.ts';

/** Reads that end when the test says so. */
function heldReads() {
  const begun: { index: number; end(): void }[] = [];
  const piecewise = new Piecewise();
  const read = (index: number, viewerId = 1) =>
    piecewise.run({
      ...{ viewerId, limit: 1 },
      idOf: (id: number) => id,
      piece: () =>
        new Promise<{ rows: number[]; reached: undefined }>((resolve) =>
          begun.push({ index, end: () => resolve({ rows: [index], reached: undefined }) }),
        ),
    });
  return { begun, read };
}

it('at most two reads run, the others wait in order, and beyond 200 waiting they are refused', async () => {
  const { begun, read } = heldReads();
  const reads = Array.from({ length: 202 }, (_, index) => read(index));
  await expect(read(202)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(begun).toHaveLength(2);
  for (let index = 0; index < 202; index++) {
    begun[index]?.end();
    expect(await reads[index]).toEqual([index]);
    expect(begun.length).toBeLessThanOrEqual(index + 3);
  }
  expect(begun.map(({ index }) => index)).toEqual(reads.map((_, index) => index));
});

it('a viewer who fills the queue delays another by one read, and loses the newest of their own', async () => {
  const { begun, read } = heldReads();
  const reads = Array.from({ length: 202 }, (_, index) => read(index));
  const last = expect(reads.at(-1)).rejects.toMatchObject({ code: 'service_unavailable' });
  const other = read(1000, 2);
  await last;
  for (let index = 0; index < 4; index++) {
    await expect.poll(() => begun.length).toBeGreaterThan(index);
    begun[index]?.end();
  }
  expect(await other).toEqual([1000]);
  for (let index = 4; index < 202; index++) {
    await expect.poll(() => begun.length).toBeGreaterThan(index);
    begun[index]?.end();
  }
  await Promise.all(reads.slice(0, -1));
});

describe('with 50 000 rooms and 20 000 people', () => {
  let opened: TemporaryStore;
  let store: Store;
  let ownerId: number;
  beforeAll(async () => {
    opened = await openTemporaryStore();
    ({ store } = opened);
    ownerId = (await newUser(store)).id;
    await newRoom(store, ownerId, 'everybody');
    const sqlite = openForWriting(databaseFile(opened.dataDir));
    transaction(sqlite, () => fill(sqlite, ownerId));
    sqlite.close();
  });
  afterAll(async () => await opened?.dispose());

  it.each<[what: string, search: () => Promise<unknown[]>, expected: unknown[]]>([
    [
      'the newest rooms that match, wherever they are',
      async () =>
        (await store.listRooms({ limit: 10, keyPart: 'needle', userId: ownerId })).map(({ name }) => name),
      ['needle 40007', 'needle 20007', 'needle 7'],
    ],
    [
      'the people who share a room with a guest, among all who have such a name',
      async () =>
        (await store.searchPeople({ start: 'straw', limit: 10, amongPeopleOf: 2 })).map(({ id }) => id),
      LONERS,
    ],
    [
      'the members of a large room by a frequent name, in pages',
      async () =>
        (await store.members({ roomId: 1, limit: 500, start: 'hay', afterId: 15_000 })).map(
          ({ userId }) => userId,
        ),
      Array.from({ length: 500 }, (_, index) => 15_001 + 7 * index),
    ],
  ])('finds %s, and other reads come between the pieces', async (_, search, expected) => {
    const events: string[] = [];
    const searched = search().then((rows) => {
      events.push('searched');
      return rows;
    });
    // Asked for after the search began, and there before it ends.
    await store.findRoom(1).then(() => events.push('read'));
    expect(await searched).toEqual(expected);
    expect(events).toEqual(['read', 'searched']);
  });

  it('a guest’s search visits the people of the guest’s rooms alone, whatever number of strangers match', () => {
    const sqlite = openForWriting(databaseFile(opened.dataDir));
    const steps = new StepRunner(sqlite);
    const search = { start: 'straw', limit: 10, amongPeopleOf: 2, scan: 1 };
    let pieces = 0;
    let from: PeopleCursor | undefined;
    do {
      from = steps.run(searchPeoplePiece({ ...search, from })).reached;
      pieces++;
    } while (from !== undefined && pieces < 100);
    sqlite.close();
    // One for each of the two members, and two that find no more members and no more rooms.
    expect(pieces).toBeLessThanOrEqual(4);
  });

  it('a limit and a place to go on from hold over the pieces', async () => {
    const search = { limit: 2, keyPart: 'needle', userId: ownerId };
    const names = (await store.listRooms(search)).map(({ name }) => name);
    expect(names).toEqual(['needle 40007', 'needle 20007']);
    const [last] = await store.listRooms({ ...search, limit: 1, beforeId: 40_008 });
    expect(last?.name).toBe('needle 20007');
  });
});

/** The only two people who are not in room 1; they are in room 2. */
const LONERS = [2, 19_999];

function fill(sqlite: Sqlite, ownerId: number): void {
  const room = sqlite.prepare(
    'INSERT INTO rooms (name, name_key, search_key, owner_id, created_at) VALUES (?, ?, ?, ?, 0)',
  );
  for (let count = 1; count <= 50_000; count++) {
    const name = `${count % 20_000 === 7 ? 'needle' : 'straw'} ${count}`;
    room.run(name, name, name, ownerId);
  }
  const person = sqlite.prepare(
    "INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (?, ?, ?, '', 0)",
  );
  const word = sqlite.prepare('INSERT INTO user_words (user_id, word) VALUES (?, ?)');
  const member = sqlite.prepare(
    'INSERT INTO members (room_id, user_id, joined_at, user_seq) VALUES (?, ?, 0, 1)',
  );
  for (let id = 2; id <= 20_000; id++) {
    const name = `straw ${id}`;
    person.run(id, name, name);
    word.run(id, name);
    if (id % 7 === 0) word.run(id, `hay ${id}`);
    if (!LONERS.includes(id)) member.run(1, id);
  }
  for (const id of LONERS) member.run(2, id);
}
