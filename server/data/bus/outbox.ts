/**
 * What this process has to say to the others. What it says to one room in a turn of the event loop goes out together;
 * heads wait a little longer, as those who receive them read the log.
 */
import type { MessageRow } from '../storage/store.ts';
import type { BusEvent } from './bus.ts';
import type { HeadsEnvelope, RoomEnvelope, UsersEnvelope } from './envelopes.ts';

const HEADS_EVERY_MS = 20;
export const SLOTS = 64;

export interface OutboxParts {
  toRoom(roomId: number, envelope: RoomEnvelope): void;
  /** The slot of all these rooms. */
  toHeads(slot: number, envelope: HeadsEnvelope): void;
  /** The slot of all these users. */
  toUsers(slot: number, envelope: UsersEnvelope): void;
  toControl(envelope: { revoked: number[] }): void;
}

interface RoomNews {
  head: number;
  notices: MessageRow[];
}

export class Outbox {
  readonly #parts: OutboxParts;
  readonly #rooms = new Map<number, Required<RoomEnvelope>>();
  readonly #users = new Map<number, Required<UsersEnvelope>>();
  readonly #heads = new Map<number, Map<number, RoomNews>>();
  #revoked: number[] = [];
  #turn: NodeJS.Immediate | null = null;
  #headsTimer: NodeJS.Timeout | null = null;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  add(event: BusEvent): void {
    this.#turn ??= setImmediate(() => this.#endTurn());
    switch (event.type) {
      case 'message': {
        const room = this.#room(event.roomId);
        room.events.push(event.message);
        room.head = Math.max(room.head, event.message.changedSeq);
        return this.#noteHead(event.roomId, event.message);
      }
      case 'typing':
        return void this.#room(event.roomId).events.push([event.userId, event.username, event.isTyping]);
      case 'user_log':
        return void this.#user(event.userId).logs.push([event.userId, event.seq]);
      case 'profile':
        return void this.#user(event.userId).profiles.push([event.userId, event.version]);
      case 'notify':
        return void this.#user(event.userId).notices.push([event.userId, event.notice]);
      case 'session_revoked':
        return void this.#revoked.push(event.sessionId);
    }
  }

  /** Says now what is waiting. */
  flush(): void {
    this.#endTurn();
    this.#tellHeads();
  }

  #endTurn(): void {
    if (this.#turn) clearImmediate(this.#turn);
    this.#turn = null;
    const rooms = [...this.#rooms];
    this.#rooms.clear();
    for (const [roomId, envelope] of rooms) this.#parts.toRoom(roomId, envelope);
    const users = [...this.#users];
    this.#users.clear();
    for (const [slot, envelope] of users) this.#parts.toUsers(slot, envelope);
    const revoked = this.#revoked;
    this.#revoked = [];
    if (revoked.length > 0) this.#parts.toControl({ revoked });
  }

  #tellHeads(): void {
    if (this.#headsTimer) clearTimeout(this.#headsTimer);
    this.#headsTimer = null;
    const slots = [...this.#heads];
    this.#heads.clear();
    for (const [slot, rooms] of slots) {
      const envelope: HeadsEnvelope = { rooms: [] };
      for (const [roomId, { head, notices }] of rooms) {
        envelope.rooms.push(notices.length > 0 ? [roomId, head, notices] : [roomId, head]);
      }
      this.#parts.toHeads(slot, envelope);
    }
  }

  #noteHead(roomId: number, message: MessageRow): void {
    this.#headsTimer ??= setTimeout(() => this.#tellHeads(), HEADS_EVERY_MS).unref();
    const slot = roomId % SLOTS;
    const rooms = this.#heads.get(slot) ?? new Map<number, RoomNews>();
    this.#heads.set(slot, rooms);
    const news = rooms.get(roomId) ?? { head: 0, notices: [] };
    rooms.set(roomId, news);
    news.head = Math.max(news.head, message.changedSeq);
    if (message.notice !== null) news.notices.push(message);
  }

  #room(roomId: number): Required<RoomEnvelope> {
    const room = this.#rooms.get(roomId) ?? { head: 0, events: [] };
    this.#rooms.set(roomId, room);
    return room;
  }

  #user(userId: number): Required<UsersEnvelope> {
    const slot = userId % SLOTS;
    const users = this.#users.get(slot) ?? { logs: [], profiles: [], notices: [] };
    this.#users.set(slot, users);
    return users;
  }
}
