import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HERE_LINGER_MS } from '../../../../../protocol/limits.ts';
import type { Profile } from '../../../../../protocol/people.ts';
import { createMemoryBus } from '../../../../data/bus/memory.ts';
import { NOW, newRoom, newUser } from '../../../../data/storage/contract/subject.ts';
import { openForWriting } from '../../../../data/storage/sqlite/database.ts';
import { openTemporaryStore, type TemporaryStore } from '../../../../data/storage/sqlite/temporary-store.ts';
import type { Store } from '../../../../data/storage/store.ts';
import { People } from '../../../../features/identity/people.ts';
import { Presence } from '../../../../features/presence/presence.ts';
import { type Watcher, Watching } from './watching.ts';

let opened: TemporaryStore;
let store: Store;
beforeAll(async () => {
  opened = await openTemporaryStore();
  ({ store } = opened);
});
afterAll(async () => await opened?.dispose());

/** No request makes guests yet, so the role is written to the database. */
function makeGuest(userId: number): void {
  const sqlite = openForWriting(join(opened.dataDir, 'roomful.db'));
  sqlite.prepare("UPDATE users SET role = 'guest' WHERE id = ?").run(userId);
  sqlite.close();
}

async function furnished({ isShared = false } = {}) {
  const bus = createMemoryBus();
  const people = new People({ store, bus });
  const watching = new Watching({ people, presence: new Presence(), isShared });
  bus.subscribe((event) => {
    if (event.type === 'profile' && !isShared) watching.changed(event.userId);
  });
  const [viewer, seen] = [(await newUser(store)).id, (await newUser(store)).id];
  const profiles: Profile[] = [];
  const presence: { online: number[]; offline: number[] }[] = [];
  const watcher: Watcher = {
    userId: viewer,
    isOpen: () => true,
    tellProfile: (profile) => profiles.push(profile),
    tellPeople: (change) => presence.push(change),
  };
  await watching.watch(watcher, new Map([[seen, 1]]), () => true);
  presence.length = 0;
  return { people, watching, watcher, seen, profiles, presence };
}

it('changes of a profile within a second are one frame, with the latest', async () => {
  const { people, watching, watcher, seen, profiles } = await furnished();
  for (let count = 1; count <= 20; count++) await people.changeMe(seen, { display_name: `name ${count}` });
  expect(profiles).toEqual([]);
  watching.tick(1000);
  // It reads in order, so that what was read before is there.
  await people.me(seen);
  expect(profiles).toMatchObject([{ id: seen, display_name: 'name 20', version: 21 }]);
  watching.tick(2000);
  await people.me(seen);
  expect(profiles).toHaveLength(1);
  await people.changeMe(seen, { display_name: 'unseen' });
  watching.unwatch(watcher, [seen]);
  watching.tick(3000);
  await people.me(seen);
  expect(profiles).toHaveLength(1);
});

it('where the bus loses every change of a profile, it is sent within half a minute, once', async () => {
  const { people, watching, seen, profiles } = await furnished({ isShared: true });
  await people.changeMe(seen, { display_name: 'lost' });
  const halfAMinute = async () => {
    for (let second = 0; second < 31; second++) {
      watching.tick(second * 1000);
      await people.me(seen);
    }
  };
  await halfAMinute();
  expect(profiles).toMatchObject([{ id: seen, display_name: 'lost', version: 2 }]);
  await halfAMinute();
  expect(profiles).toHaveLength(1);
});

it('a change that was lost is sent to all who watch, as soon as one of them finds it', async () => {
  const { people, watching, watcher, seen, profiles } = await furnished({ isShared: true });
  await people.changeMe(seen, { display_name: 'lost' });
  const found: Profile[] = [];
  const other = { ...watcher, tellProfile: (profile: Profile) => void found.push(profile) };
  await watching.watch(other, new Map([[seen, 1]]), () => true);
  expect(found).toHaveLength(1);
  watching.tick(1000);
  await people.me(seen);
  expect(profiles).toMatchObject([{ display_name: 'lost' }]);
});

it('a user who comes and goes between two ticks is reported once, as gone after 10 s', async () => {
  const { watching, seen, presence } = await furnished();
  for (let count = 0; count < 5; count++) {
    watching.came({ userId: seen, username: 'seen' });
    watching.went(seen, 1000);
  }
  watching.tick(1000);
  expect(presence).toEqual([{ online: [seen], offline: [] }]);
  watching.tick(1000 + HERE_LINGER_MS);
  expect(presence).toEqual([
    { online: [seen], offline: [] },
    { online: [], offline: [seen] },
  ]);
});

it('a guest watches a person no longer than they share a room', async () => {
  const { people, watching, watcher, seen, profiles, presence } = await furnished();
  const room = await newRoom(store, seen);
  makeGuest(watcher.userId);
  const where = { roomId: room.id, userId: watcher.userId };
  await store.setMember({ ...where, actorId: seen, now: NOW });
  await watching.watch(watcher, new Map([[seen, 1]]), () => true);
  presence.length = 0;

  await people.changeMe(seen, { display_name: 'in the same room' });
  watching.came({ userId: seen, username: 'seen' });
  watching.tick(1000);
  await expect.poll(() => profiles.length + presence.length, { timeout: 20_000 }).toBe(2);
  expect(profiles).toMatchObject([{ id: seen, display_name: 'in the same room' }]);
  expect(presence).toEqual([{ online: [seen], offline: [] }]);

  await store.leaveRoom({ ...where, now: NOW });
  await people.changeMe(seen, { display_name: 'alone' });
  watching.went(seen, 2000);
  watching.tick(2000 + HERE_LINGER_MS);
  // Reads run in order, so those of the tick are over.
  for (let reads = 0; reads < 5; reads++) await people.me(seen);
  await store.setMember({ ...where, actorId: seen, now: NOW });
  await people.changeMe(seen, { display_name: 'together again' });
  watching.came({ userId: seen, username: 'seen' });
  watching.tick(30_000);
  for (let reads = 0; reads < 5; reads++) await people.me(seen);
  expect(profiles).toHaveLength(1);
  expect(presence).toHaveLength(1);

  await watching.watch(watcher, new Map([[seen, 1]]), () => true);
  expect(profiles.at(-1)).toMatchObject({ display_name: 'together again' });
  expect(presence.at(-1)).toEqual({ online: [seen], offline: [] });
});
