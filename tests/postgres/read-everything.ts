/** All reads of the store, each with many arguments. */
import type { Flood, Reads, Store } from '../../server/data/storage/store.ts';
import { NOTIFIER } from '../../server/features/notifications/notifier.ts';
import type { World } from './random-history.ts';

type Reader = (store: Store, world: World) => Promise<unknown>[];

const LATER = 1_800_000_000_000;
const FLOOD: Flood = { since: 0, until: LATER, act: 'remove', keep: [] };

/** A new read of the store is an error of the compiler until it is here. */
const READERS: { [Name in keyof Reads]: Reader } = {
  findUser: (store, { keys }) =>
    [...keys, ...Array.from({ length: 40 }, (_, index) => `name ${index}`)].map((key) => store.findUser(key)),
  sessionsRevokedSince: (store) => [sorted(store.sessionsRevokedSince(0))],
  isTicketSpent: (store, { keys }) => keys.map((key) => store.isTicketSpent(key)),
  profiles: (store, { userIds }) => [store.profiles(userIds)],
  searchPeople: (store, { userIds }) => [
    store.searchPeople({ start: '', limit: 100 }),
    store.searchPeople({ start: 'display', limit: 100 }),
    ...userIds.map((amongPeopleOf) => store.searchPeople({ start: '', limit: 100, amongPeopleOf })),
  ],
  ownProfile: (store, { userIds }) => userIds.map((userId) => store.ownProfile(userId)),
  blockedBy: (store, { userIds }) => userIds.map((userId) => sorted(store.blockedBy(userId))),
  liveSessions: (store, { userIds }) =>
    userIds.map((userId) => sorted(store.liveSessions({ userId, now: 0 }))),
  hasAdmin: (store) => [store.hasAdmin()],
  setupNonce: (store) => [store.setupNonce()],
  findRoom: (store, { roomIds }) => roomIds.map((roomId) => store.findRoom(roomId)),
  everyRoom: (store) => [store.everyRoom({ afterId: 0, limit: 1000 })],
  deletedRooms: (store) => [store.deletedRooms({ actorId: null, now: 0 })],
  listRooms: (store, { userIds }) =>
    userIds.flatMap((userId) => [
      store.listRooms({ userId, limit: 100 }),
      store.listRooms({ userId, limit: 100, keyPart: '1' }),
    ]),
  searchScope: (store, { userIds, keys }) =>
    userIds.map((userId) =>
      store.searchScope({ userId, now: 0, usernames: keys, roomNames: keys, withPublic: true }),
    ),
  foundMessages: (store, { userIds, roomIds }) =>
    userIds.map((userId) =>
      store.foundMessages({
        userId,
        now: 0,
        places: roomIds.map((roomId) => ({ roomId, messageId: roomId })),
      }),
    ),
  savedPlaces: (store, { userIds }) =>
    userIds.map((userId) => store.savedPlaces({ userId, order: 'newest', beyondId: LATER, limit: 100 })),
  lastMessageId: (store) => [store.lastMessageId()],
  roomTexts: (store, { roomIds }) =>
    roomIds.map((roomId) => store.roomTexts({ roomId, fromId: 0, beforeId: LATER, limit: 1000 })),
  previewTasks: (store) => [store.previewTasks({ limit: 100 })],
  keptLinks: (store, { keys }) => [store.keptLinks({ urlHashes: keys, since: 0 })],
  standing: (store, world) => pairs(world).map((pair) => store.standing(pair)),
  members: (store, { roomIds }) =>
    roomIds.flatMap((roomId) => [
      store.members({ roomId, limit: 100 }),
      store.members({ roomId, limit: 100, start: 'name 1' }),
    ]),
  entries: (store, { userIds }) =>
    userIds.map((userId) => sorted(store.entries({ userId, maxDms: 100, counted: 50 }))),
  userLog: (store, { userIds }) => userIds.map((userId) => store.userLog({ userId, after: 0, limit: 1000 })),
  unread: (store, { userIds, roomIds }) => userIds.map((userId) => sorted(store.unread({ userId, roomIds }))),
  shareRoom: (store, { userIds }) =>
    userIds.flatMap((userId) => userIds.map((otherId) => store.shareRoom({ userId, otherId }))),
  isBlockedIn: (store, { userIds, roomIds }) =>
    userIds.flatMap((userId) => roomIds.map((roomId) => store.isBlockedIn({ roomId, userId }))),
  liveInvites: (store, { roomIds }) => roomIds.map((roomId) => store.liveInvites({ roomId, now: 0 })),
  findInvitation: (store, { keys }) => keys.map((codeHash) => store.findInvitation({ codeHash, now: 0 })),
  inviteScope: (store, { keys }) => keys.map((codeHash) => store.inviteScope(codeHash)),
  registration: (store) => [store.registration()],
  serverName: (store) => [store.serverName()],
  serverEmoji: (store) => [store.serverEmoji()],
  emojiStamp: (store) => [store.emojiStamp()],
  serverIcon: (store) => [store.serverIcon()],
  adminUsers: (store) => [store.adminUsers({ actorId: null, limit: 100, now: 0 })],
  audit: (store, { userIds }) => [
    store.audit({ viewerId: null, scope: { of: 'all' }, limit: 100, now: 0 }),
    ...userIds.map((viewerId) => store.audit({ viewerId, scope: { of: 'own' }, limit: 100, now: 0 })),
  ],
  roomIds: (store) => [store.roomIds({ after: 0, limit: 1000 })],
  roomsLosingFiles: (store) => [store.roomsLosingFiles()],
  oldTexts: (store, { roomIds }) =>
    roomIds.map((roomId) => store.oldTexts({ roomId, afterSeq: 0, before: LATER, limit: 1000, now: LATER })),
  addresses: (store) => [store.addresses({ actorId: null, since: 0, until: LATER, limit: 100 })],
  registered: (store) => [store.registered({ actorId: null, flood: FLOOD, afterId: 0, limit: 1000 })],
  countRegistered: (store) => [store.countRegistered({ actorId: null, flood: FLOOD })],
  textsToDelete: (store) => [store.textsToDelete()],
  serverInvites: (store) => [store.serverInvites({ actorId: null, now: 0 })],
  usage: (store) => [store.usage({ actorId: null, now: 0 })],
  findReset: (store, { keys }) => keys.map((codeHash) => store.findReset({ codeHash, now: 0 })),
  findSignInLink: (store, { keys }) => keys.map((codeHash) => store.findSignInLink({ codeHash, now: 0 })),
  suspension: (store, { userIds }) => userIds.map((userId) => store.suspension(userId)),
  reports: (store, { userIds, roomIds }) =>
    userIds.flatMap((viewerId) =>
      roomIds.map((roomId) => store.reports({ viewerId, roomId, isOpen: true, limit: 100, now: 0 })),
    ),
  restricted: (store, { userIds, roomIds }) =>
    userIds.flatMap((viewerId) => roomIds.map((roomId) => store.restricted({ roomId, viewerId, now: 0 }))),
  recentTexts: (store, { userIds, roomIds }) =>
    userIds.flatMap((userId) =>
      roomIds.map((roomId) => store.recentTexts({ roomId, userId, since: 0, limit: 100 })),
    ),
  pushKeys: (store) => [store.pushKeys()],
  pushSubscriptions: (store, { userIds }) =>
    userIds.map((userId) => store.pushSubscriptions({ userId, now: 0 })),
  history: (store, { roomIds }) =>
    roomIds.flatMap((roomId) => [
      store.history({ roomId, limit: 200, withNotices: true }),
      store.history({ roomId, limit: 3 }),
    ]),
  around: (store, { roomIds }) =>
    roomIds.flatMap((roomId) =>
      [{ time: 0 }, { time: LATER }, { id: 1 }].map((place) => store.around({ roomId, limit: 5, place })),
    ),
  messagesAfter: (store, { roomIds }) =>
    roomIds.map((roomId) => store.messagesAfter({ roomId, seq: 2, limit: 200 })),
  message: (store, { roomIds, messageIds }) =>
    roomIds.flatMap((roomId) => messageIds.map((messageId) => store.message({ roomId, messageId }))),
  messagesById: (store, { roomIds, messageIds }) =>
    roomIds.map((roomId) => store.messagesById({ roomId, ids: messageIds })),
  revisions: (store, { roomIds, messageIds }) =>
    roomIds.flatMap((roomId) => messageIds.map((messageId) => store.revisions({ roomId, messageId }))),
  reactionsOf: (store, { roomIds, messageIds }) =>
    roomIds.flatMap((roomId) => messageIds.map((messageId) => store.reactionsOf({ roomId, messageId }))),
  pins: (store, { roomIds }) => roomIds.map((roomId) => store.pins({ roomId })),
  saved: (store, { userIds }) => userIds.map((userId) => store.saved({ userId, limit: 100, now: 0 })),
  threads: (store, { roomIds }) =>
    roomIds.flatMap((roomId) => [
      store.threads({ roomId, limit: 100 }),
      store.threads({ roomId, limit: 2, resolved: false }),
    ]),
  threadPage: (store, { roomIds, messageIds }) =>
    roomIds.flatMap((roomId) =>
      messageIds.map((threadId) => store.threadPage({ roomId, threadId, limit: 50 })),
    ),
  threadMember: (store, { userIds, roomIds }) =>
    userIds.flatMap((userId) => roomIds.map((roomId) => store.threadMember({ userId, roomId, threadId: 1 }))),
  followedThreads: (store, { userIds }) => userIds.map((userId) => store.followedThreads({ userId, now: 0 })),
  consumerBehind: (store) => [store.consumerBehind({ name: NOTIFIER, after: 0, limit: 1000 })],
  consumerPlace: (store, { roomIds }) =>
    roomIds.map((roomId) => store.consumerPlace({ name: NOTIFIER, roomId })),
  roomNews: (store, { roomIds }) =>
    roomIds.map((roomId) => store.roomNews({ roomId, after: 0, limit: 100, withPlain: true })),
  eagerMembers: (store, { roomIds }) => roomIds.map((roomId) => store.eagerMembers({ roomId })),
  audience: (store, { roomIds, userIds }) =>
    roomIds.flatMap((roomId) => [
      store.audience({ roomId, authorIds: userIds, userIds }),
      store.audience({ roomId, authorIds: userIds }),
    ]),
  threadPeople: (store, { roomIds, messageIds, userIds }) =>
    roomIds.flatMap((roomId) =>
      messageIds.map((threadId) => store.threadPeople({ roomId, threadId, userIds, withFollowers: true })),
    ),
  waitingNotices: (store) => [store.waitingNotices({ limit: 100 })],
  notice: (store, { userIds }) => userIds.map((userId) => store.notice({ userId, messageId: 1 })),
  inbox: (store, { userIds }) => userIds.map((userId) => store.inbox({ userId, limit: 100, now: 0 })),
  ownFile: (store, { keys, userIds }) =>
    userIds.flatMap((ownerId) => keys.map((key) => store.ownFile({ key, ownerId }))),
  servedFile: (store, { keys, userIds }) =>
    userIds.flatMap((userId) => keys.map((key) => store.servedFile({ key, userId, now: LATER }))),
  roomFiles: (store, { roomIds, userIds }) =>
    userIds.flatMap((userId) =>
      roomIds.map((roomId) => store.roomFiles({ roomId, userId, limit: 100, now: LATER })),
    ),
  filesDue: (store) => [store.filesDue({ now: LATER, limit: 100 })],
  filesByKey: (store) => [store.filesByKey({ after: '', limit: 1000 })],
  knownFiles: (store, { keys }) => [store.knownFiles({ keys }).then((known) => known.toSorted())],
  fileCounts: (store) => [store.fileCounts()],
  heads: (store, { roomIds, userIds }) => [
    store.heads({ roomIds, userIds }).then(({ epoch, rooms, users }) => ({
      epoch,
      rooms: rooms.toSorted((one, other) => one.roomId - other.roomId),
      users: users.toSorted((one, other) => one.userId - other.userId),
    })),
  ],
};

/** By the name of the read. */
export async function readEverything(store: Store, world: World): Promise<Record<string, unknown[]>> {
  const results: Record<string, unknown[]> = {};
  for (const [name, reader] of Object.entries(READERS))
    results[name] = await Promise.all(reader(store, world));
  return results;
}

/** What the next writes return: they must go on with the same numbers. */
export async function writeOn(store: Store, { roomIds, userIds }: World): Promise<unknown[]> {
  const outcomes: unknown[] = [await store.takeRoster()];
  for (const roomId of roomIds)
    for (const userId of userIds)
      outcomes.push(await store.append({ roomId, userId, cid: null, content: 'next', now: LATER }));
  for (const name of ['next', 'last']) {
    const names = { key: name, looks: [name], isDisguised: false, now: LATER };
    const room = {
      ...names,
      name,
      kind: 'public',
      topic: '',
      emoji: null,
      ownerId: 1,
      maxPerDay: 0,
    } as const;
    outcomes.push(await store.createUser({ ...names, username: name, passwordHash: 'hash' }));
    outcomes.push(await store.createRoom(room));
    const times = { expiresAt: LATER, now: LATER };
    const session = { userId: 1, passwordHash: 'hash', userAgent: '', refreshHash: name, ...times };
    outcomes.push(await store.createSession(session));
  }
  return outcomes;
}

function pairs({ roomIds, userIds }: World): { roomId: number; userId: number }[] {
  return roomIds.flatMap((roomId) => userIds.map((userId) => ({ roomId, userId })));
}

/** For reads that promise no order. */
async function sorted<T>(result: Promise<T[]>): Promise<T[]> {
  return (await result).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
