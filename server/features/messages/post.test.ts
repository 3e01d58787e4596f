import { afterAll, beforeAll, expect, it } from 'vitest';
import { MEMBERSHIPS_MAX } from '../../../protocol/limits.ts';
import { createMemoryBus } from '../../data/bus/memory.ts';
import { newRoom, newUser, unique } from '../../data/storage/contract/subject.ts';
import { databaseFile } from '../../data/storage/sqlite/data-dir.ts';
import { openForWriting, transaction } from '../../data/storage/sqlite/database.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import type { Store } from '../../data/storage/store.ts';
import { Posting } from './post.ts';

let opened: TemporaryStore;
let store: Store;
beforeAll(async () => {
  opened = await openTemporaryStore();
  ({ store } = opened);
});
afterAll(async () => await opened?.dispose());

/** Makes the user a member of as many rooms as one may be. */
function fillMemberships(userId: number): void {
  const sqlite = openForWriting(databaseFile(opened.dataDir));
  const room = sqlite.prepare<[string, number], { id: number }>(
    "INSERT INTO rooms (name, name_key, owner_id, created_at) VALUES ('', ?, ?, 0) RETURNING id",
  );
  const member = sqlite.prepare(
    'INSERT INTO members (room_id, user_id, joined_at, user_seq) VALUES (?, ?, 0, 1)',
  );
  transaction(sqlite, () => {
    for (let count = 0; count < MEMBERSHIPS_MAX; count++)
      member.run(room.get(unique('r'), userId)?.id ?? 0, userId);
  });
  sqlite.close();
}

it('an author at the cap of memberships posts as before, and is tried as a member again ten minutes later', async () => {
  const [{ id: ownerId }, { id: userId, username }] = [await newUser(store), await newUser(store)];
  const { id: roomId } = await newRoom(store, ownerId);
  fillMemberships(userId);
  const tries: number[] = [];
  let now = 1_000_000;
  const counting: Store = {
    ...store,
    joinRoom(join) {
      tries.push(now);
      return store.joinRoom(join);
    },
  };
  const posting = new Posting({ store: counting, bus: createMemoryBus(), now: () => now });
  const post = async () => {
    const posted = await posting.post({
      roomId,
      author: { userId, username },
      draft: { content: 'hello', cid: null },
    });
    await posting.idle(60_000);
    return posted.seq;
  };
  expect([await post(), await post(), await post()]).toEqual([1, 2, 3]);
  expect(tries).toEqual([1_000_000]);
  now += 10 * 60_000;
  await post();
  expect(tries).toEqual([1_000_000, 1_600_000]);
  const [left] = await store.entries({ userId, maxDms: 0 });
  await store.leaveRoom({ roomId: left?.room.id ?? 0, userId, now });
  now += 10 * 60_000;
  await post();
  expect((await store.standing({ roomId, userId }))?.member).toMatchObject({ leftAt: null });
});
