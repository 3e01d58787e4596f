/** A room in which all has happened that an export of it shows, and exports of it in a form without ids. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameKey } from '../../protocol/text.ts';
import type { Store } from '../../server/data/storage/store.ts';
import { looksOf } from '../../server/rules/names/looks.ts';

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
/** By their places below. */
export const PEOPLE = ['olga', 'max', 'mia', 'guy', 'zoe', 'gone'] as const;
const EMOJI = ['🦊', '👍', '❤️'];
const ACTS = ['say', 'edit', 'delete', 'react', 'pin', 'reply', 'quote', 'mention', 'title', 'come'] as const;

/** What happens at random: an act, by whom, and on which of the messages before it. */
export interface Step {
  act: number;
  by: number;
  on: number;
}

export class ARoom {
  readonly #store: Store;
  readonly users: readonly number[];
  readonly roomId: number;
  readonly #ids: number[] = [];
  #now = NOW;

  private constructor(store: Store, users: readonly number[], roomId: number) {
    this.#store = store;
    this.users = users;
    this.roomId = roomId;
  }

  /**
   * `zoe` is no member; `gone` is removed at the end. Another room comes before, so that its ids are not those of a new
   * server.
   */
  static async make(store: Store, steps: readonly Step[] = []): Promise<ARoom> {
    await newPerson(store, 'somebody');
    const users: number[] = [];
    for (const name of PEOPLE) users.push(await newPerson(store, name));
    const [owner = 0] = users;
    await newRoom(store, owner, 'Before');
    const room = new ARoom(store, users, await newRoom(store, owner, 'Café'));
    await room.#furnish();
    for (const step of steps) await room.#take(step);
    await room.#end();
    return room;
  }

  async #furnish(): Promise<void> {
    const [owner = 0, max = 0, mia = 0, guy = 0, , gone = 0] = this.users;
    for (const userId of [max, mia, guy, gone])
      await this.#store.joinRoom({ roomId: this.roomId, userId, now: this.#later() });
    const patch = {
      topic: 'of "all"',
      description: 'two\nlines',
      emoji: '☕',
      settings: { pin: 'moderator' },
    } as const;
    await this.#store.changeRoom({ roomId: this.roomId, actorId: owner, patch, now: this.#later() });
    const at = { roomId: this.roomId, actorId: owner };
    await this.#store.setMember({ ...at, userId: max, role: 'moderator', now: this.#later() });
    await this.#store.setMember({ ...at, userId: gone, role: 'moderator', now: this.#later() });
    await this.#say(1, 'the first text');
    await this.#take({ act: ACTS.indexOf('edit'), by: 1, on: 0 });
    for (const act of ['say', 'react', 'reply', 'reply', 'quote', 'title'] as const)
      await this.#take({ act: ACTS.indexOf(act), by: 0, on: 0 });
    for (const [by, on] of [
      [1, 1],
      [2, 1],
      [5, 1],
      [5, 0],
    ] as const)
      await this.#take({ act: ACTS.indexOf('react'), by, on });
    await this.#take({ act: ACTS.indexOf('pin'), by: 0, on: 1 });
    await this.#take({ act: ACTS.indexOf('reply'), by: 2, on: 1 });
    await this.#take({ act: ACTS.indexOf('delete'), by: 1, on: this.#ids.length - 1 });
    const names = ['zoe', 'max'].map((name) => [nameKey(name)]);
    await this.#say(1, 'hello @zoe @max\u2028"', { mentions: { names, room: 'here' } });
  }

  async #take({ act, by, on }: Step): Promise<void> {
    const actorId = this.users[by % 6] ?? 0;
    const messageId = this.#ids[on % this.#ids.length] ?? 0;
    const target = { roomId: this.roomId, messageId, actorId, now: this.#later() };
    const store = this.#store;
    switch (ACTS[act % ACTS.length]) {
      case 'say':
        return await this.#say(by, `text ${on}`);
      case 'reply':
        return await this.#say(by, 'a reply', { threadId: messageId });
      case 'quote':
        return await this.#say(by, 'an answer', { replyTo: messageId });
      case 'mention':
        return await this.#say(by, '@zoe', { mentions: { names: [[nameKey('zoe')]], room: null } });
      case 'edit':
        for (const baseRevision of [0, 1, 2])
          await store.editMessage({ ...target, content: `edit ${baseRevision} ${on}`, baseRevision });
        return;
      case 'delete':
        return void (await store.deleteMessage(target));
      case 'react':
        return void (await store.react({ ...target, emoji: EMOJI[(by + on) % 3] ?? '', on: on % 5 !== 4 }));
      case 'pin':
        return void (await store.pin({ ...target, on: true }));
      case 'title':
        return void (await store.changeThread({
          ...target,
          threadId: messageId,
          title: `title ${on}`,
          resolved: by > 1,
        }));
      case 'come':
        await store.leaveRoom({ roomId: this.roomId, userId: this.users[3] ?? 0, now: target.now });
        return void (await store.joinRoom({
          roomId: this.roomId,
          userId: this.users[3] ?? 0,
          now: target.now,
        }));
    }
  }

  async #say(by: number, content: string, more: object = {}): Promise<void> {
    const cid = `cid ${this.#ids.length}`;
    const text = { roomId: this.roomId, userId: this.users[by % 6] ?? 0, cid, content, now: this.#later() };
    const posted = await this.#store.post({ ...text, ...more });
    if (posted.outcome === 'stored') this.#ids.push(posted.id);
  }

  async #end(): Promise<void> {
    const [owner = 0, , mia = 0, guy = 0, , gone = 0] = this.users;
    const by = { roomId: this.roomId, actorId: owner, reason: '' };
    await this.#store.mute({ ...by, userId: mia, until: NOW + 9e11, now: this.#later() });
    await this.#store.ban({ ...by, userId: guy, until: null, now: this.#later() });
    const removal = { actorId: null, userId: gone, deletesTexts: false, reason: '' };
    await this.#store.removeUser({ ...removal, now: this.#later() });
  }

  #later(): number {
    this.#now += 1000;
    return this.#now;
  }
}

export async function newPerson(store: Store, username: string): Promise<number> {
  const named = { username, key: nameKey(username), ...looksOf(username) };
  const created = await store.createUser({ ...named, passwordHash: 'hash', now: NOW });
  assert(created.outcome === 'created');
  return created.user.id;
}

export async function newRoom(
  store: Store,
  ownerId: number,
  name: string,
  kind: 'public' | 'private' = 'public',
): Promise<number> {
  const named = { name, key: nameKey(name), ...looksOf(name), kind, topic: '', emoji: null };
  const created = await store.createRoom({ ...named, ownerId, now: NOW, maxPerDay: 0 });
  assert(created.outcome === 'created');
  return created.room.id;
}

type Line = Record<string, unknown>;

export function linesOf(folder: string, table: string): Line[] {
  const text = readFileSync(join(folder, `${table}.jsonl`), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}

/**
 * The files of a room's export as texts, with names in the place of ids, and the lines in an order that knows no ids.
 */
export function withoutIds(folder: string): Record<string, string[]> {
  const users = new Map(linesOf(folder, 'users').map(({ id, username }) => [id, nameOf(String(username))]));
  const messages = new Map(linesOf(folder, 'messages').map(({ id, seq }) => [id, `message ${seq}`]));
  const [room] = linesOf(folder, 'rooms');
  const user = (id: unknown) =>
    id === null ? null : (users.get(id) ?? assert.fail(`user ${id} is unknown`));
  const message = (id: unknown) =>
    id === null ? null : (messages.get(id) ?? assert.fail(`message ${id} is unknown`));
  /** Wherever an id stands, by the name of its field. */
  const rename = (key: string, value: unknown): unknown => {
    if (['user_id', 'owner_id', 'deleted_by'].includes(key)) return user(value);
    if (['people', 'mentions', 'user_ids'].includes(key)) return (value as unknown[]).map(user);
    if (['message_id', 'thread_id'].includes(key) || (key === 'reply_to' && typeof value === 'number'))
      return message(value);
    if (key === 'reply_to' && value !== null) return { ...(value as Line), id: message((value as Line).id) };
    if (key === 'room_id') return room?.id === value ? 'room' : assert.fail(`room ${value} is unknown`);
    if (key === 'extra' && value !== null) return JSON.stringify(JSON.parse(String(value), rename));
    return key === 'username' ? nameOf(String(value)) : value;
  };
  const tables = ['users', 'rooms', 'members', 'messages', 'message_revisions', 'reactions'];
  return Object.fromEntries(
    tables.map((table) => {
      const lines = linesOf(folder, table).map(({ id, name_key: _, is_default: __, ...line }) =>
        JSON.stringify({ ...line, ...(table === 'messages' && { id: message(id) }) }, rename),
      );
      return [table, table === 'messages' ? lines : lines.toSorted()];
    }),
  );
}

function nameOf(username: string): string {
  return username.startsWith('Removed user ') ? 'Removed user' : username;
}
