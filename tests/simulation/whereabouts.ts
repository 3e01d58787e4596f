/**
 * The users who are in each room, by the sockets of all processes. A process that has ended keeps its users for a
 * while, as the others do: users who come back within that time never left.
 */
import { Presence, type PresenceChange } from '../../server/features/presence/presence.ts';
import type { Owner } from './world.ts';

/** A roster outlives its process by 15 s after its last heartbeat, and heartbeats come each 5 s. */
const KEPT_MS = 8000;
/** A process that has just started learns within this time what the others know. */
const LEARNS_MS = 7000;
/** A process that loses a user's socket knows of one elsewhere if that came this long ago. */
const OVERLAPS_MS = 4000;
/** After this time, everybody has noticed what a disturbance kept from them. */
const SETTLES_MS = 15_000;

interface Place {
  /** The sockets of each process, and when the first of them came. */
  readonly holders: Map<Owner, { sockets: number; since: number }>;
  /** Since when the user has been here without a break. */
  since: number;
  /** How often the user came after a break. */
  times: number;
  keptUntil: number;
  /** A process died, and had no time to say good-bye. */
  isKeptAfterCrash: boolean;
}

export class Whereabouts {
  readonly #now: () => number;
  readonly #places = new Map<string, Place>();
  /** Processes that were cut off or stood still: nothing is said of their users. */
  readonly #disturbed = new Set<Owner>();
  #startedAt = Number.NEGATIVE_INFINITY;
  #disturbedUntil = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The presence of a process, which is watched. */
  presenceOf(owner: Owner): Presence {
    return new WatchedPresence(owner, this);
  }

  came(owner: Owner, key: string): void {
    const now = this.#now();
    const unknown = { holders: new Map(), since: 0, times: 0, keptUntil: -1, isKeptAfterCrash: false };
    const place = this.#places.get(key) ?? unknown;
    this.#places.set(key, place);
    if (!this.#isIn(place)) {
      place.since = now;
      place.times++;
    }
    place.keptUntil = -1;
    const { sockets, since } = place.holders.get(owner) ?? { sockets: 0, since: now };
    place.holders.set(owner, { sockets: sockets + 1, since });
  }

  went(owner: Owner, key: string): void {
    const place = this.#places.get(key);
    const held = place?.holders.get(owner);
    if (!place || !held || --held.sockets > 0) return;
    place.holders.delete(owner);
    const known = [...place.holders.values()].some(({ since }) => this.#now() - since >= OVERLAPS_MS);
    if (known) return;
    // To this process the user has left, and comes again when it hears of the others.
    place.since = this.#now();
    place.times++;
  }

  /** A process starts: what a dead one had not stored is unknown to it. */
  started(): void {
    if (this.#places.size === 0) return;
    this.#startedAt = this.#now();
    this.#disturbedUntil = Math.max(this.#disturbedUntil, this.#startedAt + LEARNS_MS);
    for (const place of this.#places.values()) if (place.isKeptAfterCrash) place.keptUntil = -1;
  }

  /** A process has ended. */
  ended(owner: Owner, isCrash: boolean): void {
    const isKnown = !this.#disturbed.has(owner) && !(isCrash && this.#now() - this.#startedAt < LEARNS_MS);
    for (const place of this.#places.values()) {
      if (!place.holders.delete(owner) || !isKnown) continue;
      place.keptUntil = this.#now() + KEPT_MS;
      place.isKeptAfterCrash = isCrash;
    }
  }

  /** A process is cut off, or stands still. */
  disturbed(owner: Owner, forMs: number): void {
    this.#disturbed.add(owner);
    this.#disturbedUntil = Math.max(this.#disturbedUntil, this.#now() + forMs + SETTLES_MS);
  }

  /** Whether all processes know where everybody is. */
  get areKnown(): boolean {
    return this.#now() > this.#disturbedUntil;
  }

  /** Whether the user is in the room, and has been since then; `isFirst`: for the first time. */
  stay(roomId: number, userId: number): { since: number; isFirst: boolean } | null {
    const place = this.#places.get(`${roomId} ${userId}`);
    return place && this.#isIn(place) ? { since: place.since, isFirst: place.times === 1 } : null;
  }

  #isIn({ holders, keptUntil }: Place): boolean {
    return this.#now() <= keptUntil || [...holders.keys()].some((owner) => !this.#disturbed.has(owner));
  }
}

class WatchedPresence extends Presence {
  readonly #owner: Owner;
  readonly #whereabouts: Whereabouts;

  constructor(owner: Owner, whereabouts: Whereabouts) {
    super();
    this.#owner = owner;
    this.#whereabouts = whereabouts;
  }

  override enter(roomId: number, user: { userId: number; username: string }): PresenceChange {
    this.#whereabouts.came(this.#owner, `${roomId} ${user.userId}`);
    return super.enter(roomId, user);
  }

  override leave(roomId: number, userId: number): PresenceChange {
    this.#whereabouts.went(this.#owner, `${roomId} ${userId}`);
    return super.leave(roomId, userId);
  }
}
