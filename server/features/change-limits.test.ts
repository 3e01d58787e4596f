import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryBus } from '../data/bus/memory.ts';
import { newUser, unique } from '../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../data/storage/sqlite/temporary-store.ts';
import type { Store } from '../data/storage/store.ts';
import { MemoryLimiter } from '../platform/limits/memory.ts';
import { People } from './identity/people.ts';
import { Presence } from './presence/presence.ts';
import { Invites } from './rooms/invites.ts';
import { Members } from './rooms/members.ts';
import { Rooms } from './rooms/rooms.ts';

const REFUSED = { code: 'too_many_requests' };

let opened: TemporaryStore;
let store: Store;
beforeAll(async () => {
  opened = await openTemporaryStore();
  ({ store } = opened);
});
afterAll(async () => await opened?.dispose());

/** Ann owns a room and another, and bo is in the first. Two changes pass, and the next is refused. */
async function furnished() {
  const changes = new MemoryLimiter({ capacity: 2, refill: 1, refillIntervalUs: 3_600_000_000 });
  const parts = { store, bus: createMemoryBus(), changes };
  const rooms = new Rooms({ ...parts, presence: new Presence(), roomsPerDay: 0, dmsPerDay: 0 });
  const members = new Members({ ...parts, presence: new Presence(), epoch: '' });
  const invites = new Invites({ ...parts, attempts: undefined });
  const people = new People(parts);
  const [ann, bo, cy] = [(await newUser(store)).id, (await newUser(store)).id, (await newUser(store)).id];
  const own = async (userId: number) => ({
    userId,
    roomId: (await rooms.create({ name: unique('room') }, userId)).id,
  });
  const [room, other, ofBo] = [await own(ann), await own(ann), await own(bo)];
  const code = (await invites.create(ofBo, {}, '')).code;
  return { rooms, members, invites, people, ann, bo, cy, room, other, ofBo, code };
}

describe('a user who changes rooms and members too often is refused', () => {
  it('in all rooms together; another user is not', async () => {
    const { rooms, room, other, ofBo } = await furnished();
    await rooms.change(room, { topic: 'new' });
    await rooms.change(other, { topic: 'new' });
    await expect(rooms.change(room, { topic: 'newer' })).rejects.toMatchObject(REFUSED);
    expect((await rooms.get(room)).topic).toBe('new');
    await rooms.change(ofBo, { topic: 'new' });
  });

  type World = Awaited<ReturnType<typeof furnished>>;
  it.each<[what: string, change: (world: World) => Promise<unknown>]>([
    ['joining', ({ members, ann, ofBo }) => members.join({ ...ofBo, userId: ann })],
    ['leaving', ({ members, room }) => members.leave(room)],
    ['adding', ({ members, room, cy }) => members.set(room, cy)],
    ['giving a role', ({ members, room, cy }) => members.set(room, cy, 'owner')],
    ['removing', ({ members, room, cy }) => members.remove(room, cy)],
    ['inviting', ({ invites, room }) => invites.create(room, {}, '')],
    ['accepting', ({ invites, ann, code }) => invites.accept(code, ann, { key: undefined })],
  ])('by %s', async (_, change) => {
    const world = await furnished();
    await world.rooms.change(world.room, { topic: 'one' });
    await world.rooms.change(world.room, { topic: 'two' });
    await expect(change(world)).rejects.toMatchObject(REFUSED);
  });
});

it('a user who changes the own profile too often is refused, and nothing changes', async () => {
  const { people, ann, bo } = await furnished();
  await people.changeMe(ann, { display_name: 'one' });
  await people.changeMe(ann, { display_name: 'two' });
  await expect(people.changeMe(ann, { display_name: 'three' })).rejects.toMatchObject(REFUSED);
  expect(await people.me(ann)).toMatchObject({ display_name: 'two' });
  await people.changeMe(bo, { display_name: 'one' });
});
