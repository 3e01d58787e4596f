import { afterAll, beforeAll, expect, it } from 'vitest';
import { newUserAndRoom, newUsers, say } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { RoomPeople } from './people.ts';

let opened: TemporaryStore;
beforeAll(async () => {
  opened = await openTemporaryStore();
});
afterAll(async () => await opened?.dispose());

it('450 people of a thread: each stands as they have said, and a reply to few takes one read', async () => {
  const { store } = opened;
  const now = Date.now();
  const { user: owner, room } = await newUserAndRoom(store);
  const roomId = room.id;
  const [root] = await say(store, { roomId, userId: owner.id }, ['a root']);
  const threadId = root?.id ?? 0;
  const members = (await newUsers(store, 450)).map(({ id }) => id);
  await Promise.all(members.map((userId) => store.joinRoom({ roomId, userId, now, isSilent: true })));
  // Every third has left the thread, every third follows it, and the others have said nothing.
  const follow = (userId: number, following: boolean) =>
    store.followThread({ roomId, threadId, userId, now, following });
  const following = members.filter((_, place) => place % 3 === 1);
  const left = members.filter((_, place) => place % 3 === 0);
  for (const userId of [...following, ...left]) await follow(userId, true);
  for (const userId of left) await follow(userId, false);
  let reads = 0;
  const counting: typeof store.threadPeople = (of) => {
    reads++;
    return store.threadPeople(of);
  };
  const newPeople = () =>
    new RoomPeople(
      { store: { ...store, audience: store.audience, threadPeople: counting }, isOnline: () => false },
      roomId,
      [],
    );
  const people = newPeople();
  const followers = await people.loadThread(threadId, members);
  expect(followers).toEqual(following);
  expect(reads).toBe(3);
  await people.load(members);
  // Nobody who has left it is made to follow it again.
  const added = members.filter((userId) => people.follow(threadId, userId, 0));
  expect(added).toEqual(members.filter((_, place) => place % 3 === 2));
  reads = 0;
  await newPeople().loadThread(threadId, members.slice(0, 2));
  expect(reads).toBe(1);
});
