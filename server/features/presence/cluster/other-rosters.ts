/**
 * The rosters of all other processes. The users of a process that dies stay until its lease ends, and those of one that
 * stops as planned stay for 15 s, so that users who come back elsewhere never left. Silence proves nothing while this
 * process may be deaf itself: after doubt about the exchange, and after a pause of this process, timeouts start over.
 */
import { RESTART_GRACE_MS } from '../../../../protocol/limits.ts';
import type { Presence } from '../presence.ts';
import { ROSTER_LEASE_MS, type RosterExchange, type RosterNotice, type StoredRoster } from './exchange.ts';
import { OtherRoster } from './other-roster.ts';

const ASK_AGAIN_MS = 1000;
/** A tick that is this late, or a response that takes this long, means that this process was paused. */
const PAUSE_MS = 5000;
/** After doubt or a pause, what was missed is known within this time: each process sends a heartbeat. */
const CATCH_UP_MS = 6000;
/** What a process has reported about its database is outdated after this. */
const DATABASE_NEWS_MS = 10_000;

interface Other {
  roster: OtherRoster;
  heardAt: number;
  /** When its roster was requested; null once it has arrived. */
  askedAt: number | null;
  isBeingRead: boolean;
  isBeingChecked: boolean;
  /** The users of a stopped process are expected back until then. */
  leavesAt: number | null;
  hasDatabase: boolean;
}

export interface OtherRostersParts {
  /** This process. */
  process: string;
  presence: Presence;
  exchange: RosterExchange;
  /** Monotonic milliseconds. */
  now: () => number;
}

export class OtherRosters {
  readonly #parts: OtherRostersParts;
  readonly #others = new Map<string, Other>();
  /** Processes whose current roster `refresh` has requested, and what to call when it arrives. */
  readonly #awaited = new Map<string, () => void>();
  #tickedAt: number;
  /** Silence counts from this time on: since then notices have been able to reach this process. */
  #calmSince: number;

  constructor(parts: OtherRostersParts) {
    this.#parts = parts;
    this.#tickedAt = this.#calmSince = parts.now();
  }

  /** The other processes that are alive, as far as this one knows. */
  get processes(): string[] {
    return [...this.#others].filter(([, { leavesAt }]) => leavesAt === null).map(([process]) => process);
  }

  /** Users and rooms of all other rosters. */
  get size(): number {
    let size = 0;
    for (const { roster } of this.#others.values()) size += roster.size;
    return size;
  }

  /** Whether another process has reported lately that it reaches the database. */
  someHaveDatabase(): boolean {
    const since = this.#parts.now() - DATABASE_NEWS_MS;
    return [...this.#others.values()].some(
      ({ hasDatabase, heardAt, leavesAt }) => hasDatabase && heardAt >= since && leavesAt === null,
    );
  }

  /**
   * Requests the current rosters of all connected processes: a stored one may be some seconds old. Resolves when all
   * have arrived. A process that was killed is not asked. One whose machine is gone is, and never responds.
   */
  async refresh(): Promise<void> {
    const { exchange, process: from } = this.#parts;
    const connected = await exchange.connected(this.processes).catch(() => this.processes);
    const arrivals = connected.map((to) => {
      exchange.send({ type: 'ask', from, to });
      return new Promise<void>((resolve) => this.#awaited.set(to, resolve));
    });
    await Promise.all(arrivals);
  }

  hear(notice: RosterNotice): void {
    if (notice.from === this.#parts.process || notice.type === 'ask') return;
    const other = this.#other(notice.from);
    other.heardAt = this.#parts.now();
    if (notice.type === 'changes') other.roster.hear(notice.n, notice.changes);
    else other.roster.heardOf(notice.n);
    if (notice.type === 'heartbeat') other.hasDatabase = notice.hasDatabase;
    if (notice.type === 'leaving' && !other.roster.isBehind) this.#leave(other);
    if (!other.roster.isBehind) {
      other.askedAt = null;
      if (notice.type === 'stored') this.#arrived(notice.from);
    } else if (notice.type === 'stored' || notice.type === 'leaving') void this.#read(other);
    else this.#ask(other);
  }

  /** A roster as its process has stored it. */
  receive(stored: StoredRoster): void {
    if (stored.process === this.#parts.process) return;
    const other = this.#other(stored.process);
    other.roster.replace(stored);
    if (stored.isLeaving) this.#leave(other);
    if (other.roster.isBehind) return;
    other.askedAt = null;
    this.#arrived(stored.process);
  }

  /** To be called several times a second. */
  tick(): void {
    const { exchange, now } = this.#parts;
    const at = now();
    if (exchange.isInDoubt || at - this.#tickedAt > PAUSE_MS) this.#calmSince = at;
    this.#tickedAt = at;
    for (const other of this.#others.values()) {
      if (other.leavesAt !== null) {
        if (at >= other.leavesAt && at - this.#calmSince >= CATCH_UP_MS) this.#end(other);
        continue;
      }
      if (other.roster.isBehind) this.#ask(other);
      if (this.#isSilent(other)) void this.#check(other);
    }
  }

  #other(process: string): Other {
    let other = this.#others.get(process);
    if (!other) {
      other = {
        roster: new OtherRoster(process, this.#parts.presence),
        heardAt: this.#parts.now(),
        askedAt: null,
        isBeingRead: false,
        isBeingChecked: false,
        leavesAt: null,
        hasDatabase: false,
      };
      this.#others.set(process, other);
    }
    return other;
  }

  #arrived(process: string): void {
    this.#awaited.get(process)?.();
    this.#awaited.delete(process);
  }

  #ask(other: Other): void {
    const { exchange, process, now } = this.#parts;
    if (other.askedAt !== null && now() - other.askedAt < ASK_AGAIN_MS) return;
    other.askedAt = now();
    exchange.send({ type: 'ask', from: process, to: other.roster.process });
  }

  async #read(other: Other): Promise<void> {
    if (other.isBeingRead) return;
    other.isBeingRead = true;
    // A read that fails is repeated after the next request.
    const stored = await this.#parts.exchange.read(other.roster.process).catch(() => null);
    other.isBeingRead = false;
    if (stored && this.#isKnown(other)) this.receive(stored);
  }

  #isSilent({ heardAt }: Other): boolean {
    return this.#parts.now() - Math.max(heardAt, this.#calmSince) >= ROSTER_LEASE_MS;
  }

  /** A silent process is dead if its lease has expired, too. */
  async #check(other: Other): Promise<void> {
    if (other.isBeingChecked) return;
    other.isBeingChecked = true;
    const { exchange, now } = this.#parts;
    const askedAt = now();
    const exists = await exchange.exists(other.roster.process).catch(() => true);
    other.isBeingChecked = false;
    const isOurPause = now() - askedAt > PAUSE_MS || exchange.isInDoubt;
    if (!exists && !isOurPause && this.#isSilent(other) && this.#isKnown(other)) this.#end(other);
  }

  #leave(other: Other): void {
    if (other.leavesAt !== null) return;
    other.leavesAt = this.#parts.now() + RESTART_GRACE_MS;
    other.roster.leave();
  }

  #end(other: Other): void {
    this.#others.delete(other.roster.process);
    other.roster.end();
  }

  #isKnown(other: Other): boolean {
    return this.#others.get(other.roster.process) === other;
  }
}
