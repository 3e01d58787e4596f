/** What the contract suite is run on, and the people and rooms that its tests begin with. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AppendOutcome, MessageRow, NewRoom, RoomRow, Store, UserRow } from '../store.ts';

/** A store on data of its own. */
export interface StoreUnderTest {
  /** The open store; another one after `reopen`. */
  readonly store: Store;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<void>;
  dispose(): Promise<void>;
}

/** A part of the contract: declares its tests; `subject` is there once they run. */
export type ContractPart = (subject: () => StoreUnderTest) => void;

/** An arbitrary time. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const SECOND = 1000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Texts that a careless adapter would treat as SQL, as patterns or as empty. */
export const HOSTILE_TEXTS = [
  `Robert'); DROP TABLE messages;--`,
  `" OR ""="`,
  '100%',
  'under_score',
  'back\\slash',
  'a ? b :c @d $1 {e} [f]',
  'null',
  '0x10',
  'tab\tand\nnewline',
  'ß ﬁ İ ﻿ e\u0301 👩‍👩‍👧 𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
];

export function unique(prefix: string): string {
  return `${prefix} ${randomUUID()}`;
}

/** A private room that the user owns. */
export async function newPrivateRoom(store: Store, ownerId: number): Promise<RoomRow> {
  const created = await store.createRoom(roomOf(ownerId, unique('private'), { kind: 'private' }));
  assert(created.outcome === 'created');
  return created.room;
}

/** The looks of a name that looks like itself alone. */
export function looksOf(key: string): { looks: string[]; isDisguised: boolean } {
  return { looks: [key], isDisguised: false };
}

export async function newUser(store: Store, username = unique('user')): Promise<UserRow> {
  const created = await store.createUser({
    ...{ username, key: username, ...looksOf(username) },
    ...{ passwordHash: 'hash', now: NOW },
  });
  assert(created.outcome === 'created');
  return created.user;
}

/** In the order of their ids. */
export async function newUsers(store: Store, count: number): Promise<UserRow[]> {
  const users: UserRow[] = [];
  while (users.length < count) users.push(await newUser(store));
  return users;
}

/** A public room whose key is its name. */
export function roomOf(ownerId: number, name: string, change: Partial<NewRoom> = {}): NewRoom {
  return {
    ...{ name, key: name, ...looksOf(name), kind: 'public', topic: '', emoji: null },
    ...{ ownerId, now: NOW, maxPerDay: 0, ...change },
  };
}

export async function newRoom(store: Store, ownerId: number, name = unique('room')): Promise<RoomRow> {
  const created = await store.createRoom(roomOf(ownerId, name));
  assert(created.outcome === 'created');
  return created.room;
}

/** A user and a room that the user owns. */
export async function newUserAndRoom(store: Store): Promise<{ user: UserRow; room: RoomRow }> {
  const user = await newUser(store);
  return { user, room: await newRoom(store, user.id) };
}

type Stored = Extract<AppendOutcome, { outcome: 'stored' }>;

/** Appends many messages in one turn of the event loop; all of them must be stored. */
export async function say(
  store: Store,
  at: { roomId: number; userId: number },
  contents: string[],
): Promise<Stored[]> {
  const outcomes = await Promise.all(
    contents.map((content) => store.append({ ...at, content, cid: null, now: NOW })),
  );
  return outcomes.map((outcome) => {
    assert(outcome.outcome === 'stored');
    return outcome;
  });
}

/** `count` different texts. */
export function texts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `text ${index + 1}`);
}

/** A room's whole history, read forwards in pages. */
export async function wholeRoom(store: Store, roomId: number): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for (;;) {
    const page = await store.messagesAfter({ roomId, seq: rows.at(-1)?.seq ?? 0, limit: 200 });
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}
