/** The roster of this process, as the others receive it: changes, heartbeats, and the whole roster under a lease. */
import { RESTART_GRACE_MS } from '../../../../protocol/limits.ts';
import type { Presence, RosterEntry } from '../presence.ts';
import { ROSTER_LEASE_MS, type RosterChange, type RosterExchange } from './exchange.ts';

/** Changes are collected for this long, so that a user who comes and goes within that time costs one. */
const COLLECT_MS = 50;
const MAX_CHANGES_PER_NOTICE = 1000;

export interface OwnRosterParts {
  /** Names this run of the process, and no other. */
  process: string;
  presence: Presence;
  exchange: RosterExchange;
  hasDatabase: () => boolean;
}

export class OwnRoster {
  readonly #parts: OwnRosterParts;
  /** By room and user: the latest change that has not been sent. */
  readonly #waiting = new Map<string, RosterChange>();
  /** Users and rooms. */
  #size = 0;
  #n = 0;
  /** The stored roster includes the changes up to this one; -1: nothing is stored. */
  #storedN = -1;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | undefined;

  constructor(parts: OwnRosterParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#size;
  }

  start(): void {
    this.#size = this.#parts.presence.own().length;
    this.#parts.presence.onOwnChange = (entry, isHere) => this.#changed(entry, isHere);
  }

  /** Sends a heartbeat and extends the lease of the stored roster, or stores it anew. Rejects if that fails. */
  async beat(): Promise<void> {
    this.#flush();
    const { process, exchange, hasDatabase } = this.#parts;
    exchange.send({
      type: 'heartbeat',
      from: process,
      n: this.#n,
      hasDatabase: hasDatabase(),
      isListed: true,
    });
    const isCurrent = this.#storedN === this.#n && (await exchange.prolong(process, ROSTER_LEASE_MS));
    if (!isCurrent) await this.#store();
  }

  /** Stores the roster for one that has missed changes. Requests at the same time share it. Rejects on failure. */
  async respond(): Promise<void> {
    const n = this.#n;
    await this.#store();
    // It may have been under way already, without the latest changes.
    if (this.#storedN < n) await this.#store();
  }

  /** A planned stop: the users are expected back. The roster stays as it is from now on. Rejects on failure. */
  async leave(): Promise<void> {
    // One that is still being stored must not replace the last one.
    await this.#storing?.catch(() => undefined);
    this.#flush();
    const { process, presence, exchange } = this.#parts;
    presence.onOwnChange = undefined;
    const n = this.#n;
    await exchange.store({ process, n, isLeaving: true, entries: presence.own() }, RESTART_GRACE_MS);
    exchange.send({ type: 'leaving', from: process, n });
  }

  #changed({ roomId, userId, username }: RosterEntry, isHere: boolean): void {
    this.#size += isHere ? 1 : -1;
    this.#waiting.set(`${roomId} ${userId}`, [roomId, userId, username, isHere ? 1 : 0]);
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = [...this.#waiting.values()];
    this.#waiting.clear();
    for (let at = 0; at < changes.length; at += MAX_CHANGES_PER_NOTICE) {
      const some = changes.slice(at, at + MAX_CHANGES_PER_NOTICE);
      this.#parts.exchange.send({
        type: 'changes',
        from: this.#parts.process,
        n: ++this.#n,
        changes: some,
      });
    }
  }

  /** One at a time, so that an older roster never replaces a newer one. */
  #store(): Promise<void> {
    this.#storing ??= this.#storeNow().finally(() => {
      this.#storing = undefined;
    });
    return this.#storing;
  }

  async #storeNow(): Promise<void> {
    this.#flush();
    const { process, presence, exchange } = this.#parts;
    const n = this.#n;
    await exchange.store({ process, n, isLeaving: false, entries: presence.eachOwn() }, ROSTER_LEASE_MS);
    this.#storedN = n;
    exchange.send({ type: 'stored', from: process, n });
  }
}
