import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newUser } from '../contract/subject.ts';
import type { SearchPiece } from '../queries/rooms.ts';
import { openForWriting, transaction } from './database.ts';
import { RoomSearch } from './room-search.ts';
import { openSqliteStore } from './sqlite-store.ts';

const nothing = { rooms: [], reachedId: undefined };

it('at most two searches run, the others wait in order, and beyond 200 waiting they are refused', async () => {
  const pieces: { piece: SearchPiece; end(): void }[] = [];
  const search = new RoomSearch(
    (piece) => new Promise((resolve) => pieces.push({ piece, end: () => resolve(nothing) })),
  );
  const searches = Array.from({ length: 202 }, (_, index) =>
    search.run({ limit: 1, keyPart: `${index}`, userId: 1 }),
  );
  await expect(search.run({ limit: 1, keyPart: 'x', userId: 1 })).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  expect(pieces).toHaveLength(2);
  for (let index = 0; index < 202; index++) {
    pieces[index]?.end();
    await searches[index];
    expect(pieces.length).toBeLessThanOrEqual(index + 3);
  }
  expect(pieces.map(({ piece }) => piece.keyPart)).toEqual(searches.map((_, index) => `${index}`));
});

it('a search over 50 000 rooms finds the newest matches wherever they are, and other reads come between its pieces', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-search-'));
  const onFatal = (error: Error): void => {
    throw error;
  };
  const { store } = await openSqliteStore({ dataDir, onFatal });
  const { id: ownerId } = await newUser(store);
  const sqlite = openForWriting(join(dataDir, 'roomful.db'));
  const insert = sqlite.prepare(
    'INSERT INTO rooms (name, name_key, search_key, owner_id, created_at) VALUES (?, ?, ?, ?, 0)',
  );
  transaction(sqlite, () => {
    for (let count = 1; count <= 50_000; count++) {
      const name = `${count % 20_000 === 7 ? 'needle' : 'straw'} ${count}`;
      insert.run(name, name, name, ownerId);
    }
  });
  sqlite.close();

  const events: string[] = [];
  const searched = store.listRooms({ limit: 10, keyPart: 'needle', userId: 1 }).then((rooms) => {
    events.push('searched');
    return rooms.map(({ name }) => name);
  });
  // Asked for after the search began, and there before it ends.
  await store.findRoom(1).then(() => events.push('read'));
  expect(await searched).toEqual(['needle 40007', 'needle 20007', 'needle 7']);
  expect(events).toEqual(['read', 'searched']);
  expect((await store.listRooms({ limit: 1, keyPart: 'needle', userId: 1, beforeId: 40_007 }))[0]?.name).toBe(
    'needle 20007',
  );
  expect((await store.listRooms({ limit: 2, keyPart: 'needle', userId: 1 })).length).toBe(2);
  await store.close();
  await rm(dataDir, { recursive: true });
});
