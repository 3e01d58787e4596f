/**
 * Fair places for requests that read. A page may have a megabyte, and reading and writing it is work for the one event
 * loop, so a request gets a place before its work begins. Users take turns at the places. What a user has read counts
 * in bytes: beyond its burst, the next request waits until the rate allows it.
 */
import { AppError } from '../../../protocol/errors.ts';

/** Requests at work at a time: of all; of an address, so that others have places left; of a user, as a browser asks. */
const PLACES = 16;
const PLACES_PER_ADDRESS = 12;
const PLACES_PER_USER = 6;
/** Bytes of answers of a user. The burst is more than a client reads at its start. */
const BURST_BYTES = 8 * 1024 * 1024;
const BYTES_PER_MS = (4 * 1024 * 1024) / 1000;
/** Bytes of answers that were made and not read: an answer is in memory until then. */
const UNSENT_PER_USER = 8 * 1024 * 1024;
const UNSENT_PER_ADDRESS = 64 * 1024 * 1024;
/** Smaller answers fit into the system's own buffers. */
const COUNTED_FROM_BYTES = 64 * 1024;
/** How long a request waits for its turn. A connection on which nothing moves is closed after twice that time. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 1000;
/** Requests that wait; beyond it the user who has most loses one. */
const MAX_WAITING = 2000;
/** Each new user checks this many of the oldest, so that a quiet table shrinks. */
const LOOKED_AT_PER_NEW = 2;

export interface PlaceOf {
  /** The user, or the address of somebody who has not signed in. */
  who: string;
  /** As limits count it. */
  address: string;
  /** An address without limits: no bytes are counted. */
  isExempt: boolean;
}

interface Waiting {
  of: PlaceOf;
  begin(place: Place): void;
  refuse(error: AppError): void;
  patience: NodeJS.Timeout | undefined;
}

interface User {
  working: number;
  unsent: number;
  /** Bytes that were read and that the rate has not allowed yet, at a time. */
  debt: number;
  at: number;
  waiting: Waiting[];
}

interface Address {
  working: number;
  unsent: number;
}

/** A place for one request. */
export interface Place {
  /** The work is done, and the answer has this many bytes. */
  leave(bytes: number): void;
  /** The answer was read, or never will be. */
  end(): void;
}

export class FairPlaces {
  readonly #now: () => number;
  readonly #users = new Map<string, User>();
  readonly #addresses = new Map<string, Address>();
  /** Those with requests that wait; the one whose turn is next comes first. */
  readonly #turns = new Map<string, User>();
  #working = 0;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Users and addresses that are remembered. */
  get size(): number {
    return this.#users.size + this.#addresses.size;
  }

  /**
   * Resolves when the request may begin. Rejects with `too_many_requests` when its turn does not come in time, and when
   * too many wait. A request that is `gone` meanwhile, which `onGone` tells, gets no place.
   */
  enter(of: PlaceOf, onGone: (leave: () => void) => void = () => {}): Place | Promise<Place> {
    const user = this.#userOf(of.who);
    if (user.waiting.length === 0 && this.#mayBegin(user, of)) return this.#begin(user, of);
    return new Promise((begin, refuse) => {
      const waiting: Waiting = { of, begin, refuse, patience: undefined };
      const giveUp = () => {
        if (this.#remove(user, waiting)) refuse(tooMany(this.#waitOf(user)));
      };
      waiting.patience = setTimeout(giveUp, PATIENCE_MS);
      onGone(giveUp);
      user.waiting.push(waiting);
      this.#turns.set(of.who, user);
      if (++this.#waiting > MAX_WAITING) this.#dropOne();
      this.#goOn();
    });
  }

  #begin(user: User, of: PlaceOf): Place {
    const { address: key } = of;
    const address = this.#addresses.get(key) ?? { working: 0, unsent: 0 };
    this.#addresses.set(key, address);
    user.working++;
    address.working++;
    this.#working++;
    let [isWorking, isEnded, unsent] = [true, false, 0];
    const forget = () => {
      const isIdle = address.working === 0 && address.unsent === 0;
      // Another one may have begun since, with an entry of its own.
      if (isIdle && this.#addresses.get(key) === address) this.#addresses.delete(key);
      this.#goOn();
    };
    return {
      leave: (bytes) => {
        if (!isWorking) return;
        isWorking = false;
        user.working--;
        address.working--;
        this.#working--;
        if (!of.isExempt) this.#owe(user, bytes);
        unsent = isEnded || bytes < COUNTED_FROM_BYTES ? 0 : bytes;
        user.unsent += unsent;
        address.unsent += unsent;
        forget();
      },
      end() {
        isEnded = true;
        user.unsent -= unsent;
        address.unsent -= unsent;
        unsent = 0;
        forget();
      },
    };
  }

  #mayBegin(user: User, { address: of, isExempt }: PlaceOf): boolean {
    if (this.#working >= PLACES || user.working >= PLACES_PER_USER) return false;
    const address = this.#addresses.get(of);
    if (user.unsent >= UNSENT_PER_USER || (address && address.unsent >= UNSENT_PER_ADDRESS)) return false;
    if (address && address.working >= PLACES_PER_ADDRESS) return false;
    return isExempt || this.#waitOf(user) === 0;
  }

  /** Begins what may begin, a request of each user in turn. */
  #goOn(): void {
    if (this.#waiting === 0) return;
    let soonest = Number.POSITIVE_INFINITY;
    // A user with more of them comes again, behind the others.
    for (const [who, user] of this.#turns) {
      if (this.#working >= PLACES) break;
      const [first] = user.waiting;
      if (!first) continue;
      if (!this.#mayBegin(user, first.of)) {
        soonest = Math.min(soonest, this.#waitOf(user) || Number.POSITIVE_INFINITY);
        continue;
      }
      this.#remove(user, first);
      this.#turns.delete(who);
      if (user.waiting.length > 0) this.#turns.set(who, user);
      first.begin(this.#begin(user, first.of));
    }
    clearTimeout(this.#timer);
    if (soonest < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#goOn(), soonest);
  }

  #remove(user: User, waiting: Waiting): boolean {
    const at = user.waiting.indexOf(waiting);
    if (at < 0) return false;
    clearTimeout(waiting.patience);
    user.waiting.splice(at, 1);
    this.#waiting--;
    if (user.waiting.length === 0) this.#turns.delete(waiting.of.who);
    return true;
  }

  #dropOne(): void {
    let [most] = this.#turns.values();
    for (const user of this.#turns.values()) {
      if (most && user.waiting.length > most.waiting.length) most = user;
    }
    const last = most?.waiting.at(-1);
    if (most && last && this.#remove(most, last)) last.refuse(tooMany(RETRY_MS));
  }

  #userOf(who: string): User {
    const known = this.#users.get(who);
    if (known) return known;
    let left = LOOKED_AT_PER_NEW;
    for (const [oldest, user] of this.#users) {
      if (left-- === 0) break;
      this.#users.delete(oldest);
      // One that is in use comes back, behind the others.
      if (user.working > 0 || user.unsent > 0 || user.waiting.length > 0 || this.#debtOf(user) > 0)
        this.#users.set(oldest, user);
    }
    const user = { working: 0, unsent: 0, debt: 0, at: this.#now(), waiting: [] };
    this.#users.set(who, user);
    return user;
  }

  #owe(user: User, bytes: number): void {
    user.debt = this.#debtOf(user) + bytes;
    user.at = this.#now();
  }

  #debtOf({ debt, at }: User): number {
    return Math.max(0, debt - (this.#now() - at) * BYTES_PER_MS);
  }

  /** Milliseconds until the user may read more. */
  #waitOf(user: User): number {
    return Math.ceil(Math.max(0, this.#debtOf(user) - BURST_BYTES) / BYTES_PER_MS);
  }
}

function tooMany(waitMs: number): AppError {
  return new AppError('too_many_requests', { retryAfterMs: Math.max(RETRY_MS, waitMs) });
}
