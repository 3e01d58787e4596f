/** Membership: joining, leaving, roles, and what a member sets for themselves. */
import { AppError } from '../../../protocol/errors.ts';
import { DMS_LISTED, MAX_ID, UNREAD_AT_START } from '../../../protocol/limits.ts';
import type { MembersPage, MyRooms, Prefs } from '../../../protocol/rest/rooms.ts';
import type { Member, Membership, RoomRole } from '../../../protocol/rooms.ts';
import { searchStart } from '../../../protocol/search/names.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { verdictOn } from '../../rules/standing.ts';
import type { Presence } from '../presence/presence.ts';
import { announce, announceToUsers } from './announce.ts';
import { countFitting } from './fitting.ts';
import { permit, type Where } from './permit.ts';
import { roleOf, toEntry, toMember, toMembership } from './shapes.ts';

export interface MembersOptions {
  store: Store;
  presence: Presence;
  bus: Bus;
  /** Identifies the database's history. */
  epoch: string;
  /** Counts changes of rooms and of their members, by user; undefined: no limit. */
  changes?: Limiter | undefined;
  /** Unix milliseconds. */
  now?: () => number;
}

export interface MembersQuery extends Where {
  limit: number;
  afterId?: number | undefined;
  /** How a word of the username or of the display name begins, in any case. */
  q?: string | undefined;
}

export class Members {
  readonly #options: Required<MembersOptions>;

  constructor(options: MembersOptions) {
    this.#options = { now: Date.now, changes: undefined, ...options };
  }

  /**
   * As every change here, throws what a refused `RoomChange` says, and `too_many_requests`: a change may be a notice,
   * which stays in the room for ever and goes to everybody who has the room open.
   */
  async join(where: Where): Promise<void> {
    const { store, bus, changes, now } = this.#options;
    await takeOrRefuse(changes, String(where.userId));
    announce(bus, await store.joinRoom({ ...where, now: now() }));
  }

  async leave(where: Where): Promise<void> {
    const { store, bus, changes, now } = this.#options;
    await takeOrRefuse(changes, String(where.userId));
    announce(bus, await store.leaveRoom({ ...where, now: now() }), where.roomId);
  }

  /** Joins the rooms that every new user joins. */
  async joinDefaultRooms(userId: number): Promise<void> {
    const { store, bus, now } = this.#options;
    announceToUsers(bus, await store.joinDefaultRooms({ userId, now: now() }));
  }

  async list({ limit, afterId, q, ...where }: MembersQuery): Promise<MembersPage> {
    const { store, now } = this.#options;
    const { roomId, userId: viewerId } = where;
    await permit(store, 'read', where, now());
    const start = q === undefined ? undefined : searchStart(q);
    // One more than requested shows whether there are more.
    const rows = await store.members({ roomId, limit: limit + 1, afterId, start, viewerId });
    return { members: rows.slice(0, limit).map(toMember), has_more: rows.length > limit };
  }

  /** Adds a member, or changes a member's role. */
  async set({ roomId, userId: actorId }: Where, userId: number, role?: RoomRole): Promise<Member> {
    const { store, bus, changes, now } = this.#options;
    await takeOrRefuse(changes, String(actorId));
    announce(bus, await store.setMember({ roomId, actorId, userId, role, now: now() }));
    const [row] = await store.members({ roomId, limit: 1, afterId: userId - 1 });
    // Removed in the meantime.
    if (row?.userId !== userId) throw new AppError('user_not_found');
    return toMember(row);
  }

  async remove({ roomId, userId: actorId }: Where, userId: number): Promise<void> {
    if (actorId === userId) return await this.leave({ roomId, userId });
    const { store, bus, changes, now } = this.#options;
    await takeOrRefuse(changes, String(actorId));
    announce(bus, await store.removeMember({ roomId, actorId, userId, now: now() }));
  }

  /** Throws `not_allowed` for users who are not members, and for hiding anything but a direct conversation. */
  async setPrefs(where: Where, prefs: Prefs): Promise<Membership> {
    const { store, bus, now } = this.#options;
    const standing = await permit(store, 'see', where, now());
    const isHiding = prefs.hidden !== undefined;
    if (roleOf(standing.member) === undefined) throw new AppError('not_allowed');
    if (isHiding && verdictOn('hide', standing, now()) !== 'allowed') throw new AppError('not_allowed');
    const { notify, threads, starred, hidden, notify_muted_until: until } = prefs;
    const notifyMutedUntil = typeof until === 'string' ? Date.parse(until) : until;
    const set = await store.setPrefs({ ...where, notify, threads, starred, hidden, notifyMutedUntil });
    // Removed in the meantime.
    if (!set) throw new AppError('room_not_found');
    announceToUsers(bus, [set.member]);
    return toMembership(set.member);
  }

  /** All rooms of a user, with counts for the latest. */
  async rooms(userId: number, afterId = 0): Promise<MyRooms> {
    const { store, presence, epoch } = this.#options;
    // The log's head is read first: what changes in between is in the entries already, and comes once more.
    const { seq } = await store.userLog({ userId, after: MAX_ID, limit: 1 });
    const rows = await store.entries({ userId, maxDms: DMS_LISTED, counted: UNREAD_AT_START });
    const entries = rows
      .filter(({ room }) => room.id > afterId)
      .map((entry) => toEntry(entry, presence.online(entry.room.id)));
    const count = countFitting(
      entries,
      ({ room }) => room,
      ({ last }) => last?.excerpt ?? '',
    );
    return {
      rooms: entries.slice(0, count),
      ...(count < entries.length && { has_more: true }),
      user_seq: seq,
      epoch,
    };
  }
}
