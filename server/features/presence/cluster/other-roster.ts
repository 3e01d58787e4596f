/** The roster of one other process, as far as it is known here. */
import type { Presence, RosterEntry } from '../presence.ts';
import type { RosterChange, StoredRoster } from './exchange.ts';

/** Notices that are kept while an earlier one is missing. Further ones are dropped: the whole roster is read anyway. */
const MAX_AHEAD = 64;

export class OtherRoster {
  readonly process: string;
  readonly #presence: Presence;
  readonly #rooms = new Map<number, Map<number, string>>();
  /** Changes that came before one that is missing, by their number. */
  readonly #ahead = new Map<number, readonly RosterChange[]>();
  /** The changes up to this one are applied. A process begins with an empty roster. */
  #n = 0;
  /** The process has sent changes up to this one. */
  #sentN = 0;
  #isLeaving = false;

  constructor(process: string, presence: Presence) {
    this.process = process;
    this.#presence = presence;
  }

  get isBehind(): boolean {
    return this.#n < this.#sentN;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Users and rooms. */
  get size(): number {
    let size = 0;
    for (const room of this.#rooms.values()) size += room.size;
    return size;
  }

  /** The process has sent changes up to `n`. */
  heardOf(n: number): void {
    this.#sentN = Math.max(this.#sentN, n);
  }

  hear(n: number, changes: readonly RosterChange[]): void {
    this.heardOf(n);
    if (n <= this.#n || this.#isLeaving) return;
    if (this.#ahead.size < MAX_AHEAD) this.#ahead.set(n, changes);
    this.#advance();
  }

  /** The roster as the process has stored it, unless what is known here is newer. */
  replace({ n, entries, isLeaving }: StoredRoster): void {
    if (this.#isLeaving) return;
    this.heardOf(n);
    if (n > this.#n) {
      this.#n = n;
      const before = [...this.#entries()];
      const now = before.length > 0 ? usersByRoom(entries) : undefined;
      // Additions first, so that nobody seems to leave a room in between.
      for (const entry of entries) this.#apply(entry, true);
      for (const entry of before) if (!now?.get(entry.roomId)?.has(entry.userId)) this.#apply(entry, false);
      this.#advance();
    }
    if (isLeaving) this.leave();
  }

  /** The process stops as planned: its users are expected back until `end`. */
  leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    for (const entry of this.#entries()) {
      this.#presence.expect(this.process, entry);
      this.#presence.leaveElsewhere(entry.roomId, entry.userId);
    }
  }

  /** The process is gone, and with it everybody who has not come back. */
  end(): void {
    for (const entry of this.#entries()) {
      if (this.#isLeaving) this.#presence.forget(this.process, entry);
      else this.#presence.leaveElsewhere(entry.roomId, entry.userId);
    }
    this.#rooms.clear();
  }

  #advance(): void {
    for (let changes = this.#ahead.get(this.#n + 1); changes; changes = this.#ahead.get(this.#n + 1)) {
      this.#n++;
      for (const [roomId, userId, username, isHere] of changes) {
        this.#apply({ roomId, userId, username }, isHere === 1);
      }
    }
    for (const n of this.#ahead.keys()) if (n <= this.#n) this.#ahead.delete(n);
  }

  #apply(entry: RosterEntry, isHere: boolean): void {
    const { roomId, userId, username } = entry;
    const room = this.#rooms.get(roomId);
    if (isHere === (room?.has(userId) ?? false)) return;
    if (!isHere) {
      room?.delete(userId);
      if (room?.size === 0) this.#rooms.delete(roomId);
      return this.#presence.leaveElsewhere(roomId, userId);
    }
    if (room) room.set(userId, username);
    else this.#rooms.set(roomId, new Map([[userId, username]]));
    this.#presence.enterElsewhere(roomId, entry);
  }

  *#entries(): Generator<RosterEntry> {
    for (const [roomId, room] of this.#rooms) {
      for (const [userId, username] of room) yield { roomId, userId, username };
    }
  }
}

function usersByRoom(entries: readonly RosterEntry[]): Map<number, Set<number>> {
  const rooms = new Map<number, Set<number>>();
  for (const { roomId, userId } of entries) {
    const users = rooms.get(roomId);
    if (users) users.add(userId);
    else rooms.set(roomId, new Set([userId]));
  }
  return rooms;
}
