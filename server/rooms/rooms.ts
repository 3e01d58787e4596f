/** Rooms, each with the number of people who are in it now. */
import { AppError } from '../../protocol/errors.ts';
import { type Room, roomSettings } from '../../protocol/rooms.ts';
import { nameKey } from '../../protocol/text.ts';
import { looksOf } from '../identity/names/looks.ts';
import type { Presence } from '../presence/presence.ts';
import type { RoomRow, Store } from '../storage/store.ts';

export class Rooms {
  readonly #store: Store;
  readonly #presence: Presence;
  readonly #now: () => number;

  constructor(options: { store: Store; presence: Presence; now?: () => number }) {
    this.#store = options.store;
    this.#presence = options.presence;
    this.#now = options.now ?? Date.now;
  }

  /** `name` as `normalizeRoomName` returns it. Throws `room_name_taken` for one that is there or looks like one. */
  async create(name: string, ownerId: number): Promise<Room> {
    const names = { name, key: nameKey(name), ...looksOf(name) };
    const created = await this.#store.createRoom({
      ...names,
      ...{ kind: 'public', topic: '', emoji: null, ownerId, now: this.#now(), maxPerDay: 0 },
    });
    switch (created.outcome) {
      case 'created':
        return this.#withOnline(created.room);
      case 'taken':
        throw new AppError('room_name_taken');
      case 'too_many':
      case 'not_allowed':
        throw new AppError(created.outcome);
      case 'user_not_found':
        throw new AppError('invalid_token');
    }
  }

  /** Newest first. `q` finds rooms whose name contains it in any case. */
  async list(query: {
    limit: number;
    before_id?: number | undefined;
    q?: string | undefined;
    userId: number;
  }): Promise<Room[]> {
    const { limit, before_id: beforeId, q, userId } = query;
    const keyPart = q === undefined ? undefined : nameKey(q.trim());
    const rows = await this.#store.listRooms({ limit, beforeId, keyPart, userId });
    return rows.map((row) => this.#withOnline(row));
  }

  #withOnline(row: RoomRow): Room {
    const { id, kind, name, topic, description, emoji, seq, number, members } = row;
    const facts = { kind, name, topic, description, emoji, archived: row.archivedAt !== null };
    const settings = roomSettings.parse(JSON.parse(row.settings));
    return { id, ...facts, settings, members, online: this.#presence.online(id), seq, number };
  }
}
