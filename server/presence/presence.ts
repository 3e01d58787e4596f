/** The users in each room. A user is online while at least one of their sockets is; counts are users, not sockets. */
import type { Person } from '../../protocol/events.ts';

interface Present {
  username: string;
  /** Zero: the user was online before a planned restart and is expected back. */
  sockets: number;
}

export interface PresenceChange {
  /** The user's first socket opened, or the last one closed. */
  changed: boolean;
  online: number;
}

export interface RosterEntry {
  roomId: number;
  userId: number;
  username: string;
}

export class Presence {
  readonly #rooms = new Map<number, Map<number, Present>>();

  online(roomId: number): number {
    return this.#rooms.get(roomId)?.size ?? 0;
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

  enter(roomId: number, { userId, username }: { userId: number; username: string }): PresenceChange {
    const room = this.#room(roomId);
    const present = room.get(userId);
    if (present) present.sockets++;
    else room.set(userId, { username, sockets: 1 });
    return { changed: !present, online: room.size };
  }

  /** One of the user's sockets closed. Every call follows an `enter`. */
  leave(roomId: number, userId: number): PresenceChange {
    const room = this.#rooms.get(roomId);
    const present = room?.get(userId);
    if (!room || !present) return { changed: false, online: this.online(roomId) };
    if (--present.sockets > 0) return { changed: false, online: room.size };
    this.#remove(roomId, room, userId);
    return { changed: true, online: room.size };
  }

  /** All users of all rooms, to be remembered over a planned restart. */
  roster(): RosterEntry[] {
    return [...this.#rooms].flatMap(([roomId, room]) =>
      [...room].map(([userId, { username }]) => ({ roomId, userId, username })),
    );
  }

  /** Counts the users of a roster as online, so that their return is no change. */
  expect(roster: readonly RosterEntry[]): void {
    for (const { roomId, userId, username } of roster) {
      const room = this.#room(roomId);
      if (!room.has(userId)) room.set(userId, { username, sockets: 0 });
    }
  }

  /** Removes the users who were expected and did not come, and returns them. */
  forgetAbsent(): (RosterEntry & { online: number })[] {
    const absent: (RosterEntry & { online: number })[] = [];
    for (const [roomId, room] of this.#rooms) {
      for (const [userId, { username, sockets }] of room) {
        if (sockets > 0) continue;
        this.#remove(roomId, room, userId);
        absent.push({ roomId, userId, username, online: room.size });
      }
    }
    return absent;
  }

  #room(roomId: number): Map<number, Present> {
    let room = this.#rooms.get(roomId);
    if (!room) {
      room = new Map();
      this.#rooms.set(roomId, room);
    }
    return room;
  }

  #remove(roomId: number, room: Map<number, Present>, userId: number): void {
    room.delete(userId);
    if (room.size === 0) this.#rooms.delete(roomId);
  }
}
