/** Writes what the script has into the seeded world: as if its people had lived there for a while. */
import { nameKey } from '../protocol/text.ts';
import type { Store } from '../server/data/storage/store.ts';
import { mentionsOf } from '../server/features/messages/mentions.ts';
import { NOTIFIER } from '../server/features/notifications/notifier.ts';
import { looksOf } from '../server/rules/names/looks.ts';
import type { LateReaction } from './decorate.ts';
import { ME } from './people.ts';
import {
  ARCHIVED_ROOM,
  DEFAULT_ROOM,
  DIRECT,
  LINES,
  type Line,
  MUTED,
  PRIVATE_ROOM,
  SERVER_NAME,
  STARRED,
  UNREAD,
} from './script.ts';
import type { SeededWorld } from './seed.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
/** More messages than the script leaves unread in any room. */
const RECENT = 60;

/**
 * Fills the world's rooms and the reader's own account. A world without the script's rooms has less of it. Returns the
 * reactions that are to be made once the server has its emoji.
 */
export async function furnish(
  store: Store,
  world: World,
  seeded: SeededWorld,
  now: number,
): Promise<readonly LateReaction[]> {
  const house = new House(store, seeded, now);
  await house.admit(world);
  await house.beginNotifying();
  for (const line of LINES) await house.say(line);
  await house.talkDirectly();
  await house.settle();
  return house.late;
}

class House {
  readonly #store: Store;
  readonly #seeded: SeededWorld;
  readonly #now: number;
  /** What was said, by its key. */
  readonly #said = new Map<string, number>();
  readonly late: LateReaction[] = [];

  constructor(store: Store, seeded: SeededWorld, now: number) {
    this.#store = store;
    this.#seeded = seeded;
    this.#now = now;
  }

  /** Makes members of all who talk in a room, and of the reader in every room. */
  async admit(world: World): Promise<void> {
    const now = world.since;
    for (const { name, members } of world.rooms) {
      const roomId = this.#seeded.roomIds.get(name);
      if (roomId === undefined) continue;
      for (const userId of new Set([ME, ...members].map((who) => this.#idOf(who)))) {
        if (userId !== undefined) await this.#store.joinRoom({ roomId, userId, now, isSilent: true });
      }
    }
  }

  /** The notifier begins at the heads of rooms: here, so that it sees what the script has. */
  async beginNotifying(): Promise<void> {
    const lease = { name: NOTIFIER, holder: 'demo', now: this.#now, until: this.#now, isAlone: true };
    await this.#store.leaseConsumer(lease);
  }

  async say(line: Line): Promise<void> {
    const roomId = this.#seeded.roomIds.get(line.room);
    const userId = this.#idOf(line.who);
    if (roomId === undefined || userId === undefined) return;
    const { key, answers, thread, title } = line;
    const at = this.#now - line.ago * MINUTE_MS;
    const replyTo = answers === undefined ? undefined : this.#said.get(answers);
    const threadId = thread === undefined ? undefined : this.#said.get(thread);
    const id = await this.#post({ roomId, userId, text: line.text, at, replyTo, threadId });
    if (key !== undefined) this.#said.set(key, id);
    if (threadId !== undefined && title !== undefined)
      await this.#store.changeThread({ roomId, threadId, actorId: userId, now: at, title });
    await this.#react(line, { roomId, messageId: id, now: at });
  }

  async #react(line: Line, at: { roomId: number; messageId: number; now: number }): Promise<void> {
    for (const [emoji, people] of Object.entries(line.reactions ?? {})) {
      if (emoji.startsWith(':')) {
        this.late.push({ roomId: at.roomId, messageId: at.messageId, emoji, people });
        continue;
      }
      for (const actorId of this.#idsOf(people)) await this.#store.react({ ...at, actorId, emoji, on: true });
    }
    const [me, author] = [this.#idOf(ME), this.#idOf(line.who)];
    if (line.isPinned && author !== undefined) await this.#store.pin({ ...at, actorId: author, on: true });
    if (line.isSaved && me !== undefined) await this.#store.save({ ...at, actorId: me, on: true });
  }

  async talkDirectly(): Promise<void> {
    const makerId = this.#idOf(ME);
    for (const { people, says } of DIRECT) {
      const others = this.#idsOf(people);
      if (makerId === undefined || others.length < people.length) continue;
      const now = this.#now - 2000 * MINUTE_MS;
      const made = await this.#store.createDm({ userIds: [makerId, ...others], makerId, now, maxPerDay: 0 });
      if (!('room' in made)) throw new Error(`a conversation could not be made: ${made.outcome}`);
      for (const { who, ago, text, read } of says) {
        const userId = this.#idOf(who) ?? makerId;
        await this.#post({ roomId: made.room.id, userId, text, at: this.#now - ago * MINUTE_MS });
        if (read) await this.#readUpTo(made.room.id, 0);
      }
    }
  }

  /** The reader's stars, marks and rooms, and what an admin has set. */
  async settle(): Promise<void> {
    const userId = this.#idOf(ME);
    if (userId === undefined) return;
    const now = this.#now;
    await this.#store.setRole({ actorId: null, userId, role: 'admin', now });
    await this.#store.setServerName({ actorId: null, name: SERVER_NAME, now });
    const status = JSON.stringify({ emoji: '🎂', text: 'Cake at four' });
    await this.#store.changeProfile({ userId, status });
    await this.#welcome();
    await this.#makeRoom(PRIVATE_ROOM, 'private', userId);
    const archived = await this.#makeRoom(ARCHIVED_ROOM, 'public', userId);
    await this.#store.changeRoom({ roomId: archived, actorId: userId, patch: { archived: true }, now });
    for (const [name, roomId] of this.#seeded.roomIds) {
      if (STARRED.includes(name)) await this.#store.setPrefs({ roomId, userId, starred: true });
      if (MUTED.includes(name)) await this.#store.setPrefs({ roomId, userId, notify: 'none' });
      await this.#readUpTo(roomId, UNREAD[name] ?? 0);
    }
  }

  /** New people join one room alone; the server has given that part to the room that was made first. */
  async #welcome(): Promise<void> {
    if (!this.#seeded.roomIds.has(DEFAULT_ROOM)) return;
    for (const [name, roomId] of this.#seeded.roomIds) {
      const patch = { is_default: name === DEFAULT_ROOM };
      await this.#store.changeRoom({ roomId, actorId: null, patch, now: this.#now });
    }
  }

  async #makeRoom(name: string, kind: 'public' | 'private', ownerId: number): Promise<number> {
    const now = this.#now - 3000 * MINUTE_MS;
    const names = { name, key: nameKey(name), ...looksOf(name) };
    const look = { topic: '', emoji: null, hue: null };
    const created = await this.#store.createRoom({ ...names, ...look, kind, ownerId, now, maxPerDay: 0 });
    if (created.outcome !== 'created') throw new Error(`the room ${name} could not be made`);
    return created.room.id;
  }

  /** The reader has read all but the last `unread` messages of others: own ones are never unread. */
  async #readUpTo(roomId: number, unread: number): Promise<void> {
    const userId = this.#idOf(ME);
    const room = await this.#store.findRoom(roomId);
    if (userId === undefined || room === undefined) return;
    const standing = await this.#store.standing({ roomId, userId });
    const { rows = [] } = (await this.#store.history({ roomId, limit: RECENT })) ?? {};
    const others = rows.filter(({ userId: author }) => author !== userId).map(({ seq: at }) => at);
    const oldestUnread = others.sort((a, b) => b - a).at(unread - 1);
    const seq = unread === 0 || oldestUnread === undefined ? room.seq : oldestUnread - 1;
    const known = standing?.member?.readSet ?? 0;
    await this.#store.markRead([{ userId, roomId, seq, known, unread: seq < room.seq }]);
  }

  async #post(of: {
    roomId: number;
    userId: number;
    text: string;
    at: number;
    replyTo?: number | undefined;
    threadId?: number | undefined;
  }): Promise<number> {
    const { text: content, at: now, ...rest } = of;
    const posted = await this.#store.post({
      ...rest,
      content,
      now,
      cid: null,
      mentions: mentionsOf(content),
    });
    if (posted.outcome !== 'stored') throw new Error(`a message was not stored: ${posted.outcome}`);
    return posted.id;
  }

  #idOf(who: string): number | undefined {
    return this.#seeded.userIds.get(who);
  }

  #idsOf(people: readonly string[]): number[] {
    return people.map((who) => this.#idOf(who)).filter((id) => id !== undefined);
  }
}
