/**
 * The users in each room, over all processes. A user is in a room while a socket of this process is there for them,
 * while the roster of another process has them, or while they are expected back after a planned restart. Counts are
 * users, not sockets.
 */
import type { Person } from '../../../protocol/events.ts';

/** Not a room: everybody who has a socket at all. */
export const ONLINE = 0;

interface Present {
  username: string;
  /** Sockets of this process. */
  sockets: number;
  /** Other processes that have the user here. */
  elsewhere: number;
  /** The stopped process after which the user is expected back; null once they have come, or if there is none. */
  expectedAfter: string | null;
}

interface User {
  userId: number;
  username: string;
}

export interface PresenceChange {
  /** The user joined or left: no process had them here before, or none has them now. */
  changed: boolean;
  online: number;
}

/** A change that no socket of this process has caused. */
export interface ChangeElsewhere extends RosterEntry {
  isHere: boolean;
  online: number;
}

export interface RosterEntry {
  roomId: number;
  userId: number;
  username: string;
}

export class Presence {
  /**
   * Receives the changes that have a cause elsewhere: another process, or a user who did not come back in time. Changes
   * by this process's sockets are returned to the caller instead.
   */
  onChangeElsewhere: (change: ChangeElsewhere) => void = () => undefined;
  /** Receives each change of this process's own roster. */
  onOwnChange: ((entry: RosterEntry, isHere: boolean) => void) | undefined;
  readonly #rooms = new Map<number, Map<number, Present>>();

  online(roomId: number): number {
    return this.#rooms.get(roomId)?.size ?? 0;
  }

  has(roomId: number, userId: number): boolean {
    return this.#rooms.get(roomId)?.has(userId) ?? false;
  }

  /** The user's sockets of this process. */
  sockets(roomId: number, userId: number): number {
    return this.#rooms.get(roomId)?.get(userId)?.sockets ?? 0;
  }

  /** Some of the users in the room, at most `limit`. */
  users(roomId: number, limit: number): Person[] {
    const people: Person[] = [];
    for (const [userId, { username }] of this.#rooms.get(roomId) ?? []) {
      if (people.length >= limit) break;
      people.push({ user_id: userId, username });
    }
    return people;
  }

  /** A socket of this process has come. */
  enter(roomId: number, user: User): PresenceChange {
    const room = this.#room(roomId);
    const isNew = !room.has(user.userId);
    const present = presentIn(room, user);
    present.expectedAfter = null;
    if (++present.sockets === 1) this.onOwnChange?.(entryOf(roomId, user), true);
    return { changed: isNew, online: room.size };
  }

  /** A socket of this process has gone. Every call follows an `enter`. */
  leave(roomId: number, userId: number): PresenceChange {
    const present = this.#rooms.get(roomId)?.get(userId);
    if (!present || present.sockets === 0) return { changed: false, online: this.online(roomId) };
    if (--present.sockets === 0) this.onOwnChange?.({ roomId, userId, username: present.username }, false);
    const changed = this.#removeAbsent(roomId, userId, present);
    return { changed, online: this.online(roomId) };
  }

  /** One more process has the user in the room. */
  enterElsewhere(roomId: number, user: User): void {
    const room = this.#room(roomId);
    const isNew = !room.has(user.userId);
    const present = presentIn(room, user);
    present.expectedAfter = null;
    present.elsewhere++;
    if (isNew) this.onChangeElsewhere({ ...entryOf(roomId, user), isHere: true, online: room.size });
  }

  /** One process fewer has the user in the room. Every call follows an `enterElsewhere`. */
  leaveElsewhere(roomId: number, userId: number): void {
    const present = this.#rooms.get(roomId)?.get(userId);
    if (!present || present.elsewhere === 0) return;
    present.elsewhere--;
    this.#forgetAbsent(roomId, userId, present);
  }

  /** The user was in the room in a process that has stopped as planned, and counts as being there until `forget`. */
  expect(process: string, { roomId, ...user }: RosterEntry): void {
    presentIn(this.#room(roomId), user).expectedAfter = process;
  }

  /** The user is not expected after the stop of this process any more: without coming back, they have left. */
  forget(process: string, { roomId, userId }: RosterEntry): void {
    const present = this.#rooms.get(roomId)?.get(userId);
    if (present?.expectedAfter !== process) return;
    present.expectedAfter = null;
    this.#forgetAbsent(roomId, userId, present);
  }

  /** All users of all rooms, to be remembered over a planned restart. */
  roster(): RosterEntry[] {
    return [...this.#entries(() => true)];
  }

  /** The users with sockets of this process. */
  own(): RosterEntry[] {
    return [...this.eachOwn()];
  }

  /** The same, lazily: each entry is as it is when the iteration reaches it. */
  eachOwn(): Iterable<RosterEntry> {
    return this.#entries(({ sockets }) => sockets > 0);
  }

  *#entries(isIn: (present: Present) => boolean): Generator<RosterEntry> {
    for (const [roomId, room] of this.#rooms) {
      for (const [userId, present] of room) {
        if (isIn(present)) yield { roomId, userId, username: present.username };
      }
    }
  }

  #room(roomId: number): Map<number, Present> {
    let room = this.#rooms.get(roomId);
    if (!room) {
      room = new Map();
      this.#rooms.set(roomId, room);
    }
    return room;
  }

  #forgetAbsent(roomId: number, userId: number, present: Present): void {
    if (!this.#removeAbsent(roomId, userId, present)) return;
    const { username } = present;
    this.onChangeElsewhere({ roomId, userId, username, isHere: false, online: this.online(roomId) });
  }

  /** Removes a user who is in the room in no process any more. Returns whether it did. */
  #removeAbsent(roomId: number, userId: number, { sockets, elsewhere, expectedAfter }: Present): boolean {
    if (sockets > 0 || elsewhere > 0 || expectedAfter !== null) return false;
    const room = this.#rooms.get(roomId);
    room?.delete(userId);
    if (room?.size === 0) this.#rooms.delete(roomId);
    return true;
  }
}

function presentIn(room: Map<number, Present>, { userId, username }: User): Present {
  let present = room.get(userId);
  if (!present) {
    present = { username, sockets: 0, elsewhere: 0, expectedAfter: null };
    room.set(userId, present);
  }
  return present;
}

function entryOf(roomId: number, { userId, username }: User): RosterEntry {
  return { roomId, userId, username };
}
