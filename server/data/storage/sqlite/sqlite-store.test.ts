import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOW, newUserAndRoom, roomOf, unique } from '../contract/subject.ts';
import { describeStore } from '../store.contract.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { openTemporaryStore } from './temporary-store.ts';

function onFatal(error: Error): void {
  throw error;
}

describeStore('SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-store-'));
  let { store } = await openSqliteStore({ dataDir, onFatal });
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      ({ store } = await openSqliteStore({ dataDir, onFatal }));
    },
    async dispose() {
      await store.close();
      await rm(dataDir, { recursive: true });
    },
  };
});

it('all writes take effect in the order of the calls, also within one batch', async () => {
  const { store, dispose } = await openTemporaryStore();
  const { user, room } = await newUserAndRoom(store);
  // Ids ascend by one in an idle store: this is the room that is about to be made.
  const nextId = room.id + 1;
  const name = unique('next');
  const message = { roomId: nextId, userId: user.id, cid: null, content: 'hello', now: NOW };
  const [tooEarly, created, inTime] = await Promise.all([
    store.append(message),
    store.createRoom(roomOf(user.id, name)),
    store.append(message),
  ]);
  expect(tooEarly).toEqual({ outcome: 'room_not_found' });
  expect(created).toMatchObject({ outcome: 'created', room: { id: nextId, name, seq: 0 } });
  expect(inTime).toMatchObject({ outcome: 'stored', seq: 1 });
  await dispose();
});
