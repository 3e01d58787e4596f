/** Random operations on a store: people, sessions, rooms, members, marks, invitations, messages and their changes. */
import assert from 'node:assert/strict';
import { DAY, roomOf } from '../../server/data/storage/contract/subject.ts';
import type { Store } from '../../server/data/storage/store.ts';
import type { Random } from '../support/random.ts';

/** The names of everything that the operations have used, and more than they have made. */
export interface World {
  userIds: number[];
  roomIds: number[];
  messageIds: number[];
  /** Of names, tickets, invitations and refresh tokens. */
  keys: string[];
}

const IDS = 12;
const MESSAGE_IDS = 40;
const KEYS = 8;
const START = 1_700_000_000_000;
const END = 1_750_000_000_000;

export async function playHistory(store: Store, random: Random, steps: number): Promise<World> {
  const world: World = {
    userIds: upTo(IDS),
    roomIds: upTo(IDS),
    messageIds: upTo(MESSAGE_IDS),
    keys: upTo(KEYS).map((number) => `key ${number}`),
  };
  const player = new Player(store, random, world);
  const moves = Object.values(player.moves);
  // Some people and rooms first, so that most of the moves are possible.
  for (let count = 0; count < IDS / 2; count++) await player.moves.user();
  for (let count = 0; count < IDS / 2; count++) await player.moves.room();
  for (let step = 0; step < steps; step++) await moves[random.integer(0, moves.length - 1)]?.();
  await endWithSomething(store, world);
  return world;
}

async function signUp(store: Store, key: string): Promise<number> {
  const names = { key, looks: [key], isDisguised: false, now: END };
  const created = await store.createUser({ ...names, username: key, passwordHash: 'hash' });
  assert(created.outcome === 'created');
  return created.user.id;
}

/** By people who are new, as the others may be suspended or removed, so that every read finds something. */
async function endWithSomething(store: Store, { userIds, roomIds, messageIds, keys }: World): Promise<void> {
  const [key, now] = ['the end', END];
  const [userId, other] = [await signUp(store, key), await signUp(store, 'other')];
  const made = await store.createRoom(roomOf(userId, key, { now }));
  assert(made.outcome === 'created');
  const roomId = made.room.id;
  const session = { userId, passwordHash: 'hash', userAgent: key };
  for (const refreshHash of [key, `${key} of another`])
    await store.createSession({ ...session, refreshHash, expiresAt: now + DAY, now });
  await store.revokeSession({ refreshHash: key, now });
  await store.spendTicket({ jti: key, expiresAt: now });
  const dm = await store.createDm({ userIds: [userId, other], makerId: userId, now, maxPerDay: 0 });
  assert(dm.outcome === 'created');
  await store.setBlock({ userId, blockedId: other, isBlocked: true });
  await store.setRole({ actorId: null, userId, role: 'admin', now });
  await store.joinRoom({ roomId, userId: other, now });
  for (let count = 0; count < 3; count++)
    await store.append({ roomId, userId, cid: null, content: key, now });
  const said = await store.append({ roomId, userId, cid: null, content: key, now });
  assert(said.outcome === 'stored');
  const message = { roomId, messageId: said.id, actorId: userId, now };
  await store.editMessage({ ...message, content: 'edited', baseRevision: 0 });
  await store.react({ ...message, emoji: '🦊', on: true });
  await store.pin({ ...message, on: true });
  await store.save({ ...message, on: true, note: key });
  await store.post({ roomId, userId, cid: key, content: 'a reply', now, threadId: said.id });
  await store.followThread({ roomId, threadId: said.id, userId, now, following: true });
  await store.putPushKeys({ keys: '{}' });
  messageIds.push(said.id);
  await uploadFiles(store, { userId, roomId, now });
  await previewLinks(store, { userId, roomId, now });
  await store.createInvite({
    ...{ codeHash: key, roomId, createdBy: userId, expiresAt: now + DAY, maxUses: 1, now },
  });
  const suspended = await administer(store, { userId, other, roomId, messageId: said.id, now });
  userIds.push(userId, other, suspended);
  roomIds.push(roomId, dm.room.id);
  keys.push(key);
}

/** One that is being uploaded, one that waits for its check, one that is deleted, one of a message, an emoji and an icon. */
async function uploadFiles(
  store: Store,
  { userId, roomId, now }: { userId: number; roomId: number; now: number },
): Promise<void> {
  const limits = { userBytes: 1000, totalBytes: 1000, open: 4, unattached: 60 };
  const file = { purpose: 'message', ownerId: userId, roomId, ofKey: null, place: 'disk', limits } as const;
  const facts = { name: 'a.txt', type: 'text/plain', size: 9, info: '{}', expiresAt: now + DAY, now };
  for (const key of ['key 1', 'key 2', 'key 3', 'key 4']) await store.createFile({ ...file, ...facts, key });
  await store.advanceFile({ key: 'key 1', from: 0, to: 4, expiresAt: now + DAY });
  await store.advanceFile({ key: 'key 2', from: 0, to: 9, expiresAt: now + DAY });
  await store.deleteUpload({ key: 'key 3', ownerId: userId });
  await store.advanceFile({ key: 'key 4', from: 0, to: 9, expiresAt: now + DAY });
  const result = { state: 'ready', size: 9, type: 'text/plain', sha256: 'a', info: '{}' } as const;
  await store.settleFile({ key: 'key 4', roomId, result });
  await store.post({ roomId, userId, cid: 'with a file', content: '', files: ['key 4'], now });
  for (const [key, purpose] of [
    ['key 5', 'emoji'],
    ['key 6', 'icon'],
  ] as const) {
    await store.createFile({ ...file, ...facts, purpose, roomId: null, key });
    await store.advanceFile({ key, from: 0, to: 9, expiresAt: now + DAY });
    await store.settleFile({ key, roomId: null, result });
  }
  const emoji = { actorId: userId, name: 'ours', key: 'key 5', most: 1, now };
  assert((await store.addEmoji(emoji)).outcome === 'added');
  assert((await store.setServerIcon({ actorId: userId, key: 'key 6', now })).outcome === 'changed');
  const patch = { settings: { files_keep_days: 30 } };
  await store.changeRoom({ roomId, actorId: userId, patch, now });
}

/** A text with a preview, one whose links are to be looked at, and what a page has said. */
async function previewLinks(
  store: Store,
  { userId, roomId, now }: { userId: number; roomId: number; now: number },
): Promise<void> {
  const url = 'https://site.example/';
  const previews = [{ url, title: 'A page', site: 'Site' }];
  for (const isLooked of [true, false]) {
    const said = await store.append({ roomId, userId, cid: null, content: url, now });
    assert(said.outcome === 'stored');
    const messageId = said.id;
    if (isLooked) await store.settlePreviews({ roomId, messageId, revision: 0, previews });
    else
      await store.queuePreviews({
        ...{ name: 'previews', move: { roomId, from: 0, to: 1 }, tasks: [{ messageId, roomId, userId }] },
        limits: { perAuthor: 50, total: 2000 },
      });
  }
  await store.keepLinks([{ urlHash: 'key 1', data: 'data', fetchedAt: now }]);
}

/** Of each act of administration one that succeeds. Returns the id of a user who is suspended. */
async function administer(
  store: Store,
  act: { userId: number; other: number; roomId: number; messageId: number; now: number },
): Promise<number> {
  const { userId, other, roomId, messageId, now } = act;
  const byOperator = { actorId: null, now };
  const [suspended, leaving] = [await signUp(store, 'suspended'), await signUp(store, 'leaving')];
  const terms = { expiresAt: now + DAY, maxUses: 2 };
  await store.createServerInvite({ ...byOperator, ...terms, codeHash: 'to the server' });
  const gone = await store.createRoom(roomOf(userId, 'gone', { now }));
  assert(gone.outcome === 'created');
  await store.deleteRoom({ ...byOperator, roomId: gone.room.id });
  await store.joinRoom({ roomId, userId: leaving, now });
  await store.append({ roomId, userId: leaving, cid: null, content: 'bye', now });
  await store.removeUser({ ...byOperator, userId: leaving, deletesTexts: true, reason: '' });
  await store.createReset({ ...byOperator, userId, codeHash: 'key 1', expiresAt: now + DAY });
  await store.createSignInLink({ userId: other, codeHash: 'key 2', expiresAt: now + DAY, now });
  for (const registration of ['invite', 'open'] as const)
    await store.setRegistration({ ...byOperator, registration });
  await store.setServerName({ ...byOperator, name: 'Acme' });
  await store.setSuspended({ ...byOperator, userId: suspended, suspended: true, reason: 'noise' });
  // An author does not see reports of their own messages.
  const spam = await store.append({ roomId, userId: other, cid: null, content: 'spam', now });
  assert(spam.outcome === 'stored');
  for (const [reported, reporterId] of [
    [messageId, other],
    [spam.id, userId],
  ] as const)
    await store.report({ roomId, messageId: reported, reporterId, reason: 'spam', note: '', now });
  await store.mute({ roomId, actorId: userId, userId: other, until: now + DAY, reason: '', now });
  return suspended;
}

class Player {
  readonly #store: Store;
  readonly #random: Random;
  readonly #world: World;
  #now = START;
  #texts = 0;

  constructor(store: Store, random: Random, world: World) {
    this.#store = store;
    this.#random = random;
    this.#world = world;
  }

  /** Each may change nothing, such as an invitation by somebody who may not invite. */
  readonly moves = {
    suspend: async () => {
      if (this.#random.next() < 0.9) return;
      const suspended = this.#random.next() < 0.5;
      await this.#store.setSuspended({
        ...{ actorId: null, userId: this.#id(), suspended, reason: 'noise', now: this.#now },
      });
    },
    mute: async () => {
      const until = this.#random.next() < 0.5 ? null : this.#now + DAY;
      const among = { roomId: this.#id(), actorId: this.#id(), userId: this.#id() };
      const kind = this.#random.next() < 0.5 ? 'mute' : 'ban';
      await this.#store[kind]({ ...among, until, reason: this.#key(), now: this.#now });
    },
    report: async () => {
      const { actorId: reporterId, ...message } = this.#message();
      await this.#store.report({ ...message, reporterId, reason: 'spam', note: this.#key() });
    },
    closeReport: async () => {
      const [reportId, actorId] = [this.#id(), this.#id()];
      await this.#store.closeReport({ reportId, actorId, resolution: 'acted', note: '', now: this.#now });
    },
    user: async () => {
      const username = `name ${++this.#texts}`;
      const looks = { looks: [username, this.#key()], isDisguised: false };
      await this.#store.createUser({
        username,
        key: username,
        ...looks,
        ...{ passwordHash: 'hash', address: '203.0.113.1' },
        now: this.#now,
      });
    },
    session: async () => {
      const userId = await this.#user();
      if (userId === undefined) return;
      const session = {
        ...{ passwordHash: 'hash', userAgent: `agent ${this.#texts}` },
        expiresAt: this.#now + 1000 * this.#id(),
      };
      await this.#store
        .createSession({ ...session, userId, refreshHash: this.#key(), now: this.#now })
        .catch(() => undefined);
    },
    refresh: async () => {
      const exchange = {
        hash: this.#key(),
        successorHash: `key ${KEYS + ++this.#texts}`,
        retryKey: this.#key(),
      };
      await this.#store.exchangeRefreshToken({
        ...{ ...exchange, successorExpiresAt: this.#now + 5000, now: this.#now },
      });
    },
    signOut: async () => {
      await this.#store.revokeSession({ refreshHash: this.#key(), now: this.#now });
    },
    ticket: async () => {
      await this.#store.spendTicket({ jti: this.#key(), expiresAt: this.#now });
    },
    profile: async () => {
      await this.#store.changeProfile({
        ...{ userId: this.#id(), displayName: `display ${++this.#texts}`, status: '{"text":"away"}' },
        ...{ timeZone: 'Europe/Paris', settings: { language: this.#key() } },
      });
    },
    block: async () => {
      const pair = { userId: this.#id(), blockedId: this.#id() };
      await this.#store.setBlock({ ...pair, isBlocked: this.#random.next() < 0.7 }).catch(() => undefined);
    },
    admin: async () => {
      if (this.#random.next() < 0.2)
        await this.#store.setRole({ actorId: null, userId: this.#id(), role: 'admin', now: 1 });
    },
    room: async () => {
      const kind = this.#random.next() < 0.6 ? 'public' : 'private';
      const name = `room ${++this.#texts}`;
      await this.#store.createRoom(roomOf(this.#id(), name, { kind, topic: this.#key(), now: this.#now }));
    },
    dm: async () => {
      const [makerId, other] = [this.#id(), this.#id()];
      if (makerId === other) return;
      await this.#store.createDm({ userIds: [makerId, other], makerId, now: this.#now, maxPerDay: 0 });
    },
    changeRoom: async () => {
      const patch = { topic: `topic ${++this.#texts}`, emoji: '\u{1f680}', is_default: true };
      await this.#store.changeRoom({ roomId: this.#id(), actorId: this.#id(), patch, now: this.#now });
    },
    join: async () => {
      await this.#store.joinRoom({ roomId: this.#id(), userId: this.#id(), now: this.#now });
    },
    leave: async () => {
      await this.#store.leaveRoom({ roomId: this.#id(), userId: this.#id(), now: this.#now });
    },
    member: async () => {
      const role = (['member', 'moderator', 'owner'] as const)[this.#random.integer(0, 2)];
      const among = { roomId: this.#id(), actorId: this.#id(), userId: this.#id() };
      await this.#store.setMember({ ...among, role, now: this.#now });
    },
    prefs: async () => {
      await this.#store.setPrefs({
        ...{ roomId: this.#id(), userId: this.#id(), notify: 'mentions', notifyMutedUntil: this.#now },
        threads: this.#random.next() < 0.5 ? ('all' as const) : ('none' as const),
        ...{ starred: this.#random.next() < 0.5, hidden: this.#random.next() < 0.5 },
      });
    },
    mark: async () => {
      const mark = { userId: this.#id(), roomId: this.#id(), seq: this.#random.integer(0, 30) };
      await this.#store.markRead([{ ...mark, known: 1000, unread: this.#random.next() < 0.3 }]);
    },
    invite: async () => {
      const codeHash = `code ${++this.#texts}`;
      const by = { roomId: this.#id(), createdBy: this.#id() };
      await this.#store.createInvite({
        ...{ ...by, codeHash, expiresAt: this.#now + DAY, maxUses: 3, now: this.#now },
      });
      this.#world.keys.push(codeHash);
    },
    accept: async () => {
      const codeHash = this.#world.keys[this.#random.integer(0, this.#world.keys.length - 1)] ?? '';
      await this.#store.acceptInvite({ codeHash, userId: this.#id(), now: this.#now });
    },
    message: async () => {
      const cid = this.#random.next() < 0.5 ? null : `cid ${this.#random.integer(1, 50)}`;
      const content = `text ${++this.#texts} \u{1f468}\u200d\u{1f469}`;
      await this.#store.append({ roomId: this.#id(), userId: this.#id(), cid, content, now: this.#tick() });
    },
    reply: async () => {
      const about =
        this.#random.next() < 0.5 ? { replyTo: this.#messageId() } : { threadId: this.#messageId() };
      const text = { roomId: this.#id(), userId: this.#id(), content: `reply ${++this.#texts}` };
      await this.#store.post({ ...text, ...about, cid: `reply ${this.#texts}`, now: this.#tick() });
    },
    edit: async () => {
      const content = `edited ${++this.#texts}`;
      await this.#store.editMessage({
        ...this.#message(),
        content,
        baseRevision: this.#random.integer(0, 1),
      });
    },
    delete: async () => {
      if (this.#random.next() < 0.3) await this.#store.deleteMessage(this.#message());
    },
    react: async () => {
      const emoji = ['👍', '🦊'][this.#random.integer(0, 1)] ?? '';
      await this.#store.react({ ...this.#message(), emoji, on: this.#random.next() < 0.8 });
    },
    pin: async () => {
      await this.#store.pin({ ...this.#message(), on: this.#random.next() < 0.8 });
    },
    save: async () => {
      const bookmark = { on: this.#random.next() < 0.8, note: this.#key() };
      await this.#store.save({ ...this.#message(), ...bookmark });
    },
  };

  /** A message that may be there, in that room, and somebody who may change it. */
  #message() {
    const messageId = this.#messageId();
    return { roomId: this.#id(), messageId, actorId: this.#id(), now: this.#tick() };
  }

  #messageId(): number {
    return this.#random.integer(1, MESSAGE_IDS);
  }

  async #user(): Promise<number | undefined> {
    return (await this.#store.ownProfile(this.#id()))?.profile.id;
  }

  /** Of a user or a room; not every one exists. */
  #id(): number {
    return this.#random.integer(1, IDS);
  }

  #key(): string {
    return `key ${this.#random.integer(1, KEYS)}`;
  }

  #tick(): number {
    this.#now += this.#random.integer(0, 500);
    return this.#now;
  }
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
