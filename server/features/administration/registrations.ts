/** Where new accounts come from, and the end of a flood of them: by address and time, in one act. */
import { isIP } from 'node:net';
import { AppError } from '../../../protocol/errors.ts';
import type {
  EndedRegistrations,
  Registrations as Registered,
} from '../../../protocol/rest/administration.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { Flood, Store } from '../../data/storage/store.ts';
import { addressKey, UNKNOWN_ADDRESS } from '../../platform/net/client-address.ts';
import { announceToUsers } from '../rooms/announce.ts';
import { toTime } from '../rooms/shapes.ts';

/** As many profiles as the store reads at once. */
const NAMES_MAX = 100;
const ADDRESSES_MAX = 100;

export interface RegistrationsOptions {
  store: Store;
  bus: Bus;
  /** Ends sessions in this process at once, and announces their end. */
  announceEnd(sessionId: number): void;
  /** Unix milliseconds. */
  now: () => number;
}

export interface FloodTerms {
  /** An IPv4 address, an IPv6 address, or its /64. Undefined: any. */
  address?: string | undefined;
  since: number;
  /** Undefined: now. */
  until?: number | undefined;
  act: Flood['act'];
  keep?: readonly number[] | undefined;
}

/** What the pieces before have done; the next one goes on from there. */
export interface FloodProgress {
  auditId: number | null;
  accounts: number;
}

export class Registrations {
  readonly #options: RegistrationsOptions;

  constructor(options: RegistrationsOptions) {
    this.#options = options;
  }

  /** The addresses that made the most accounts. `userId`: only the one that made this account. */
  async addresses(
    actorId: number | null,
    { since, until, userId }: { since: number; until?: number | undefined; userId?: number | undefined },
  ): Promise<Registered> {
    const { store, now } = this.#options;
    const limit = ADDRESSES_MAX + 1;
    const rows = await store.addresses({ actorId, since, until: until ?? now(), userId, limit });
    if (!rows) throw new AppError('not_found');
    const addresses = rows.slice(0, ADDRESSES_MAX).map(({ firstAt, lastAt, ...row }) => ({
      ...row,
      first_at: toTime(firstAt),
      last_at: toTime(lastAt),
    }));
    return { addresses, has_more: rows.length > ADDRESSES_MAX };
  }

  /** How many accounts the act would change, and how many it would spare. */
  async count(actorId: number | null, terms: FloodTerms): Promise<EndedRegistrations> {
    const counted = await this.#options.store.countRegistered({ actorId, flood: this.#floodOf(terms) });
    if (!counted) throw new AppError('not_found');
    return { ...counted, has_more: false };
  }

  /** The names of the accounts that the act would change, in the order of their registration, 100 at most. */
  async names(terms: FloodTerms): Promise<string[]> {
    const { store } = this.#options;
    const flood = this.#floodOf(terms);
    const found = await store.registered({ actorId: null, flood, afterId: 0, limit: NAMES_MAX });
    const profiles = await store.profiles((found ?? []).map(({ id }) => id));
    return profiles.map(({ username }) => username);
  }

  /**
   * Suspends or removes at most `limit` accounts, one write after another, so that others write in between. All pieces
   * of a run have one row of the audit log. A piece that is repeated goes on with what is left.
   */
  async end(
    actorId: number | null,
    terms: FloodTerms,
    {
      limit,
      reason = '',
      progress,
    }: { limit: number; reason?: string | undefined; progress?: FloodProgress },
  ): Promise<EndedRegistrations & { auditId: number | null }> {
    const { store, now } = this.#options;
    const flood = this.#floodOf(terms);
    const found = await store.registered({ actorId, flood, afterId: 0, limit: limit + 1 });
    if (!found) throw new AppError('not_found');
    let auditId = progress?.auditId ?? null;
    let accounts = 0;
    for (const { id: userId } of found.slice(0, limit)) {
      const run = { auditId, accounts: (progress?.accounts ?? 0) + accounts, reason };
      const ended = await store.endRegistered({ actorId, userId, flood, run, now: now() });
      // The actor is no admin any more.
      if (ended.outcome === 'not_found') throw new AppError('not_found');
      // Somebody else was faster, or the account has become one that is spared.
      if (ended.outcome !== 'changed') continue;
      auditId = ended.auditId;
      accounts++;
      for (const sessionId of ended.ended) this.#options.announceEnd(sessionId);
      for (const message of ended.notices)
        this.#options.bus.publish({ type: 'message', roomId: message.roomId, message });
      announceToUsers(this.#options.bus, ended.changes);
      this.#options.bus.publish({ type: 'profile', userId, version: ended.version });
    }
    const { spared } = await this.count(actorId, terms);
    return { accounts, spared, has_more: found.length > limit, auditId };
  }

  #floodOf({ address, since, until, act, keep = [] }: FloodTerms): Flood {
    return {
      since,
      until: until ?? this.#options.now(),
      act,
      keep,
      address: address === undefined ? undefined : keyOf(address),
    };
  }
}

/** The address as it is stored. Throws `invalid_payload` for what is none. */
function keyOf(address: string): string {
  if (address === UNKNOWN_ADDRESS) return address;
  const plain = address.replace(/\/64$/, '');
  if (isIP(plain) === 0 || (plain !== address && isIP(plain) !== 6)) throw new AppError('invalid_payload');
  return addressKey(plain);
}
