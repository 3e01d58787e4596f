import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BusEvent } from '../../data/bus/bus.ts';
import { createMemoryBus } from '../../data/bus/memory.ts';
import { newUser, unique } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import type { Store } from '../../data/storage/store.ts';
import { Presence } from '../presence/presence.ts';
import { Invites } from './invites.ts';
import { Members } from './members.ts';
import { Rooms } from './rooms.ts';

let opened: TemporaryStore;
let store: Store;
const bus = createMemoryBus();
const presence = new Presence();
beforeAll(async () => {
  opened = await openTemporaryStore();
  ({ store } = opened);
});
afterAll(async () => await opened?.dispose());

/** The doorbells that a change rings: the notices of rooms, and the users whose logs have a new row. */
async function rings(change: () => Promise<unknown>): Promise<string[]> {
  const heard: BusEvent[] = [];
  const stop = bus.subscribe((event) => heard.push(event));
  await change();
  stop();
  return heard.map((event) => {
    if (event.type === 'message')
      return `${JSON.parse(event.message.notice ?? '').kind} ${event.message.seq}`;
    return event.type === 'user_log' ? `user ${event.userId}` : event.type;
  });
}

describe('a change rings for each notice of the room and for each user whose log it changed, once it is stored', () => {
  it('in a private room', async () => {
    const rooms = new Rooms({ store, presence, bus, roomsPerDay: 0, dmsPerDay: 0 });
    const members = new Members({ store, presence, bus, epoch: 'epoch' });
    const invites = new Invites({ store, bus, attempts: undefined });
    const [ann, bo, cy] = [(await newUser(store)).id, (await newUser(store)).id, (await newUser(store)).id];
    let roomId = 0;
    const made = await rings(async () => {
      roomId = (await rooms.create({ name: unique('room'), kind: 'private' }, ann)).id;
    });
    expect(made).toEqual([`user ${ann}`]);
    const byAnn = { roomId, userId: ann };
    expect(await rings(() => members.set(byAnn, bo))).toEqual(['added 1', `user ${bo}`]);
    expect(await rings(() => members.set(byAnn, bo))).toEqual([]);
    expect(await rings(() => members.set(byAnn, bo, 'moderator'))).toEqual(['role 2', `user ${bo}`]);
    const facts = { topic: 'new', description: 'also new' };
    expect(await rings(() => rooms.change(byAnn, facts))).toEqual(['topic 3', 'description 4']);
    expect(await rings(() => rooms.change(byAnn, facts))).toEqual([]);
    const { code } = await invites.create(byAnn, {}, '');
    const accept = () => invites.accept(code, cy, { key: undefined });
    expect(await rings(accept)).toEqual(['joined 5', `user ${cy}`]);
    expect(await rings(() => members.setPrefs({ roomId, userId: cy }, { starred: true }))).toEqual([
      `user ${cy}`,
    ]);
    expect(await rings(() => members.remove(byAnn, bo))).toEqual(['removed 6', `user ${bo}`]);
    expect(await rings(() => members.leave({ roomId, userId: cy }))).toEqual(['left 7', `user ${cy}`]);
    expect(await rings(() => members.leave(byAnn).catch(() => undefined))).toEqual([]);
  });

  it('in a direct conversation, for its maker alone: the others have it with its first text', async () => {
    const rooms = new Rooms({ store, presence, bus, roomsPerDay: 0, dmsPerDay: 0 });
    const [ann, bo] = [(await newUser(store)).id, (await newUser(store)).id];
    expect(await rings(() => rooms.createDm([bo], ann))).toEqual([`user ${ann}`]);
    expect(await rings(() => rooms.createDm([bo], ann))).toEqual([]);
  });
});
