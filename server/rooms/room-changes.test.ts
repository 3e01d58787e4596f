import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemoryBus } from '../bus/memory.ts';
import { MemoryLimiter } from '../limits/memory.ts';
import { Presence } from '../presence/presence.ts';
import { newUser, unique } from '../storage/contract/subject.ts';
import { openSqliteStore } from '../storage/sqlite/sqlite-store.ts';
import type { Store } from '../storage/store.ts';
import { Rooms } from './rooms.ts';

let dataDir: string;
let store: Store;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'roomful-changes-'));
  const onFatal = (error: Error) => {
    throw error;
  };
  ({ store } = await openSqliteStore({ dataDir, onFatal }));
});
afterAll(async () => {
  await store?.close();
  await rm(dataDir, { recursive: true });
});

it('a user who changes rooms too often is refused, in all rooms together; another user is not', async () => {
  const changes = new MemoryLimiter({ capacity: 2, refill: 1, refillIntervalUs: 3_600_000_000 });
  const options = { store, presence: new Presence(), bus: createMemoryBus(), roomsPerDay: 0, dmsPerDay: 0 };
  const rooms = new Rooms({ ...options, changes });
  const [ann, bo] = [(await newUser(store)).id, (await newUser(store)).id];
  const own = async (userId: number) => ({
    userId,
    roomId: (await rooms.create({ name: unique('room') }, userId)).id,
  });
  const [one, other, third] = [await own(ann), await own(ann), await own(bo)];
  await rooms.change(one, { topic: 'new' });
  await rooms.change(other, { topic: 'new' });
  await expect(rooms.change(one, { topic: 'newer' })).rejects.toMatchObject({ code: 'too_many_requests' });
  expect((await rooms.get(one)).topic).toBe('new');
  await rooms.change(third, { topic: 'new' });
});
