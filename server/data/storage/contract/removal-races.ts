import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { logIn } from './sessions.ts';
import {
  type ContractPart,
  HOUR,
  looksOf,
  NOW,
  newPrivateRoom,
  newRoom,
  newUser,
  roomOf,
  say,
  texts,
  unique,
} from './subject.ts';

const ROUNDS = 12;

/** A person in the middle of what people do, and another one who stays. */
async function newScene(store: Store) {
  const [user, other] = [await newUser(store), await newUser(store)];
  const [open, joined] = [await newRoom(store, other.id), await newRoom(store, other.id)];
  const closed = await newPrivateRoom(store, other.id);
  await store.joinRoom({ roomId: joined.id, userId: user.id, now: NOW });
  await say(store, { roomId: joined.id, userId: other.id }, texts(2));
  const [message] = await store.messagesAfter({ roomId: joined.id, seq: 0, limit: 1 });
  const { sessionId } = await logIn(store, user.id);
  const codeHash = unique('code');
  const invite = { codeHash, roomId: closed.id, createdBy: other.id, expiresAt: NOW + HOUR, now: NOW };
  assert((await store.createInvite({ ...invite, maxUses: null })).outcome === 'created');
  assert(message);
  const rooms = [open.id, joined.id, closed.id];
  return { store, user, other, open, joined, closed, rooms, message, sessionId, codeHash, userId: user.id };
}
type Scene = Awaited<ReturnType<typeof newScene>>;

/** What is written in the name of the person, or puts something into the person's hands. */
const WRITES: Record<string, (scene: Scene) => Promise<unknown>> = {
  changeProfile: ({ store, userId }) =>
    store.changeProfile({
      ...{ userId, displayName: 'Back again', status: '{"text":"here"}', timeZone: 'Europe/Paris' },
      settings: { language: 'en' },
    }),
  createRoom: async ({ store, userId, rooms }) => {
    const made = await store.createRoom(roomOf(userId, unique('room')));
    if (made.outcome === 'created') rooms.push(made.room.id);
    return made;
  },
  createDm: ({ store, userId, other }) =>
    store.createDm({ userIds: [other.id], makerId: userId, now: NOW, maxPerDay: 0 }),
  joinRoom: ({ store, userId, open }) => store.joinRoom({ roomId: open.id, userId, now: NOW }),
  joinDefaultRooms: ({ store, userId }) => store.joinDefaultRooms({ userId, now: NOW }),
  acceptInvite: ({ store, userId, codeHash }) => store.acceptInvite({ codeHash, userId, now: NOW }),
  'setMember by another': ({ store, userId, other, closed }) =>
    store.setMember({ roomId: closed.id, actorId: other.id, userId, now: NOW }),
  createInvite: ({ store, userId, joined }) =>
    store.createInvite({
      ...{ codeHash: `by ${userId}`, roomId: joined.id, createdBy: userId, maxUses: null },
      ...{ expiresAt: NOW + HOUR, now: NOW },
    }),
  setBlock: ({ store, userId, other }) => store.setBlock({ userId, blockedId: other.id, isBlocked: true }),
  setPrefs: ({ store, userId, joined }) => store.setPrefs({ roomId: joined.id, userId, starred: true }),
  markRead: ({ store, userId, joined }) =>
    store.markRead([{ userId, roomId: joined.id, seq: 2, known: 0, unread: true }]),
  save: ({ store, userId, joined, message }) =>
    store.save({ roomId: joined.id, messageId: message.id, actorId: userId, now: NOW, on: true }),
  followThread: ({ store, userId, joined, message }) =>
    store.followThread({ roomId: joined.id, threadId: message.id, userId, now: NOW, following: true }),
  putPushSubscription: ({ store, userId, sessionId }) =>
    store.putPushSubscription({
      ...{ userId, sessionId, endpoint: `https://push.example/${userId}`, p256dh: 'p', auth: 'a' },
      ...{ now: NOW, maxPerUser: 9 },
    }),
  createSession: ({ store, userId }) =>
    store.createSession({
      ...{ userId, passwordHash: 'hash', userAgent: '', refreshHash: unique('token') },
      ...{ expiresAt: NOW + HOUR, now: NOW },
    }),
  changePassword: ({ store, userId, sessionId }) =>
    store.changePassword({ userId, from: 'hash', to: 'other', keptId: sessionId, now: NOW }),
  append: ({ store, userId, open }) =>
    store.append({ roomId: open.id, userId, content: 'still here', cid: null, now: NOW }),
  post: ({ store, userId, joined, message }) =>
    store.post({ roomId: joined.id, userId, content: 'a reply', cid: null, now: NOW, threadId: message.id }),
  react: ({ store, userId, joined, message }) =>
    store.react({
      ...{ roomId: joined.id, messageId: message.id, actorId: userId, now: NOW },
      ...{ emoji: '👍', on: true },
    }),
  createSignInLink: ({ store, userId }) =>
    store.createSignInLink({ userId, codeHash: `in ${userId}`, expiresAt: NOW + HOUR, now: NOW }),
  createReset: ({ store, userId }) =>
    store.createReset({
      ...{ actorId: null, userId, codeHash: `for ${userId}`, expiresAt: NOW + HOUR, now: NOW },
    }),
};

/** Nothing of the person is there but what they said. */
async function expectNothing({ store, user, userId, rooms, joined, message }: Scene): Promise<void> {
  expect(await store.profiles([userId])).toMatchObject([
    {
      ...{ username: `Removed user ${userId}`, kind: 'removed', role: 'member', displayName: '' },
      ...{ status: null, timeZone: null },
    },
  ]);
  expect((await store.ownProfile(userId))?.settings).toBe('{}');
  expect(await store.findUser(user.username)).toBeUndefined();
  expect(await store.liveSessions({ userId, now: NOW })).toEqual([]);
  expect(await store.blockedBy(userId)).toEqual([]);
  expect((await store.saved({ userId, limit: 9, now: NOW })).bookmarks).toEqual([]);
  expect(await store.pushSubscriptions({ userId, now: NOW })).toEqual([]);
  expect(await store.findReset({ codeHash: `for ${userId}`, now: NOW })).toBeUndefined();
  expect(await store.findInvitation({ codeHash: `by ${userId}`, now: NOW })).toBeUndefined();
  const of = { roomId: joined.id, threadId: message.id, userId };
  expect((await store.threadMember(of)).following).toBe(false);
  for (const roomId of rooms) {
    const people = (await store.members({ roomId, limit: 9 })).map((member) => member.userId);
    expect(people).not.toContain(userId);
    // The room counts who is there.
    expect(await store.findRoom(roomId)).toMatchObject({ members: people.length });
  }
  const name = user.username;
  const again = { username: name, key: name, ...looksOf(name), passwordHash: 'hash', now: NOW };
  expect((await store.createUser(again)).outcome).toBe('created');
}

export const describeRemovalRaces: ContractPart = (subject) => {
  describe.each(Object.entries(WRITES))('the removal of an account, and %s', (_, write) => {
    const remove = ({ store, userId }: Scene) =>
      store.removeUser({ actorId: null, userId, deletesTexts: false, reason: '', now: NOW });

    it('what comes after it changes nothing', async () => {
      const scene = await newScene(subject().store);
      expect((await remove(scene)).outcome).toBe('changed');
      await write(scene);
      await expectNothing(scene);
    });

    it(`at the same moment leaves nothing either, in any of ${ROUNDS} rounds`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const scene = await newScene(subject().store);
        const both = round % 2 === 0 ? [remove, write] : [write, remove];
        await Promise.all(both.map((act) => act(scene)));
        await expectNothing(scene);
      }
    });
  });
};
