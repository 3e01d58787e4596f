/** Creates, finds and changes rooms. Each is returned with the number of users who are in it now. */
import { AppError } from '../../../protocol/errors.ts';
import type { RoomHue } from '../../../protocol/hues.ts';
import { DM_PEOPLE_MAX, DMS_LISTED } from '../../../protocol/limits.ts';
import type { DeletedRoom } from '../../../protocol/rest/administration.ts';
import type { RoomPatch, RoomsPage } from '../../../protocol/rest/rooms.ts';
import type { Room } from '../../../protocol/rooms.ts';
import { searchStart } from '../../../protocol/search/names.ts';
import { nameKey } from '../../../protocol/text.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { RoomNames, Standing, Store } from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { type Json, jsonBytes, writeFitting } from '../../platform/written-list.ts';
import { isImitation, looksOf } from '../../rules/names/looks.ts';
import { verdictOn } from '../../rules/standing.ts';
import type { Presence } from '../presence/presence.ts';
import { announce, announceToUsers } from './announce.ts';
import { permit, type Where } from './permit.ts';
import { roleOf, toOutline, toRoom, toTime } from './shapes.ts';

export interface RoomsOptions {
  store: Store;
  presence: Presence;
  bus: Bus;
  /** New rooms and new direct conversations a day and user; 0: no limit. */
  roomsPerDay: number;
  dmsPerDay: number;
  /** Counts changes of rooms and of their members, by user; undefined: no limit. */
  changes?: Limiter | undefined;
  /** Unix milliseconds. */
  now?: () => number;
}

export interface RoomToMake {
  /** As `normalizeRoomName` returns it. */
  name: string;
  kind?: 'public' | 'private' | undefined;
  topic?: string | undefined;
  emoji?: string | undefined;
  hue?: RoomHue | undefined;
}

export class Rooms {
  readonly #options: Required<RoomsOptions>;

  constructor(options: RoomsOptions) {
    this.#options = { now: Date.now, changes: undefined, ...options };
  }

  /**
   * Throws `room_name_taken` for a public room with a name that is there or looks like one, `too_many` beyond the
   * day's rooms, and `not_allowed` for a guest.
   */
  async create(
    { name, kind = 'public', topic = '', emoji, hue }: RoomToMake,
    ownerId: number,
  ): Promise<Room> {
    const { store, bus, roomsPerDay: maxPerDay, now } = this.#options;
    const room = { ...namesOf(name), kind, topic, emoji: emoji ?? null, hue };
    const created = await store.createRoom({ ...room, ownerId, now: now(), maxPerDay });
    if (created.outcome !== 'created') throw refusalOf(created.outcome);
    announceToUsers(bus, [{ userId: ownerId, userSeq: created.userSeq }]);
    return toRoom(created.room, { online: 0, role: 'owner' });
  }

  /** The one conversation of these people and the maker, and whether it is new. */
  async createDm(others: readonly number[], makerId: number): Promise<{ room: Room; isNew: boolean }> {
    const { store, bus, dmsPerDay: maxPerDay, now } = this.#options;
    const userIds = [...new Set([makerId, ...others])];
    if (userIds.length > DM_PEOPLE_MAX) throw new AppError('invalid_payload');
    const made = await store.createDm({ userIds, makerId, now: now(), maxPerDay });
    if (made.outcome === 'created' || made.outcome === 'found') {
      announceToUsers(bus, made.changes);
      const room = await this.get({ roomId: made.room.id, userId: makerId });
      return { room, isNew: made.outcome === 'created' };
    }
    throw new AppError(made.outcome);
  }

  /** The room as the user sees it. Throws `room_not_found`. */
  async get(where: Where): Promise<Room> {
    const { store, now } = this.#options;
    return await this.#show(await permit(store, 'see', where, now()), where.userId);
  }

  /**
   * Changes what `patch` names. Throws what a refused `RoomChange` says, `room_name_taken`, and `too_many_requests`:
   * each change is a notice with all facts of the room, which stays for ever and goes to everybody who has the room
   * open.
   */
  async change({ roomId, userId }: Where, { name, ...patch }: RoomPatch): Promise<Room> {
    const { store, bus, changes, now } = this.#options;
    await takeOrRefuse(changes, String(userId));
    const names = name === undefined ? undefined : namesOf(name);
    const change = await store.changeRoom({ roomId, actorId: userId, patch, names, now: now() });
    if (change.outcome === 'taken') throw new AppError('room_name_taken');
    announce(bus, change);
    return await this.get({ roomId, userId });
  }

  /** Nobody sees the room any more; for 30 days an admin can restore it. Throws as `change` does. */
  async delete({ roomId, userId }: { roomId: number; userId: number | null }): Promise<void> {
    const { store, bus, changes, now } = this.#options;
    if (userId !== null) await takeOrRefuse(changes, String(userId));
    announce(bus, await store.deleteRoom({ roomId, actorId: userId, now: now() }));
  }

  /**
   * `name`: a new one, when the old one is taken, which throws `room_name_taken`. Throws `room_not_found`, and
   * `not_found` for a user who is no admin.
   */
  async restore(roomId: number, actorId: number | null, name?: string): Promise<void> {
    const { store, bus, now } = this.#options;
    const deleted = await this.deleted(actorId);
    const room = deleted.find(({ id }) => id === roomId);
    if (!room) throw new AppError('room_not_found');
    const restored = await store.restoreRoom({
      roomId,
      actorId,
      names: namesOf(name ?? room.name),
      now: now(),
    });
    if (restored.outcome === 'taken') throw new AppError('room_name_taken');
    if (restored.outcome === 'not_found') throw new AppError('not_found');
    announce(bus, restored);
  }

  /** Rooms that can be restored, the latest deleted first. Throws `not_found` for a user who is no admin. */
  async deleted(actorId: number | null): Promise<DeletedRoom[]> {
    const { store, now } = this.#options;
    const rooms = await store.deletedRooms({ actorId, now: now() });
    if (!rooms) throw new AppError('not_found');
    return rooms.map(({ deletedAt, purgedAt, ...room }) => ({
      ...room,
      deleted_at: toTime(deletedAt),
      purged_at: toTime(purgedAt),
    }));
  }

  /** Public rooms and the user's own private ones, newest first. `q` finds a part of the name, in any case. */
  async list(query: {
    limit: number;
    before_id?: number | undefined;
    q?: string | undefined;
    userId: number;
  }): Promise<Json<RoomsPage>> {
    const { store, presence } = this.#options;
    const { limit, before_id: beforeId, q, userId } = query;
    const keyPart = q === undefined ? undefined : searchStart(q);
    const rows = await store.listRooms({ limit, beforeId, keyPart, userId });
    const { json } = await writeFitting(rows, {
      lengthOf: ({ name, topic, description }) => name.length + topic.length + description.length,
      write: (row) =>
        JSON.stringify(toRoom(row, { online: presence.online(row.id), role: row.role ?? undefined })),
    });
    return jsonBytes('{"rooms":[', json, json.length < rows.length ? '],"has_more":true}' : ']}');
  }

  async #show(standing: Standing, userId: number): Promise<Room> {
    const { store, presence, now } = this.#options;
    const { room, member } = standing;
    if (verdictOn('read', standing, now()) !== 'allowed') return toOutline(room);
    const extras = { online: presence.online(room.id), role: roleOf(member) };
    if (room.kind !== 'dm') return toRoom(room, extras);
    const [entry] = await store.entries({ userId, roomIds: [room.id], maxDms: DMS_LISTED });
    return toRoom(room, { ...extras, people: entry?.people ?? [] });
  }
}

/**
 * The forms of a name by which rooms are found and compared. Throws `room_name_taken` for one that imitates another.
 */
export function namesOf(name: string): RoomNames {
  if (isImitation(name)) throw new AppError('room_name_taken');
  return { name, key: nameKey(name), ...looksOf(name) };
}

function refusalOf(outcome: 'taken' | 'too_many' | 'not_allowed' | 'user_not_found'): AppError {
  if (outcome === 'taken') return new AppError('room_name_taken');
  // The user of a valid token is gone.
  return new AppError(outcome === 'user_not_found' ? 'invalid_token' : outcome);
}
