/**
 * An exchange within one process that has all the faults that the real one may have: notices are late, lost or doubled,
 * stored rosters vanish, and processes are cut off. Its time is that of the timers, which a test replaces.
 */
import type { RosterExchange, RosterNotice, RosterToStore, StoredRoster } from '../exchange.ts';

export interface Weather {
  /** The chance that a notice does not reach a process, from 0 to 1. */
  loss: number;
  doubling: number;
  maxDelayMs: number;
}

interface Kept {
  roster: StoredRoster;
  until: number;
}

/** Redis, as far as rosters need it. */
export class FaultyExchange {
  weather: Weather;
  readonly #random: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #ends = new Map<string, FaultyEnd>();

  /** `random`: from 0 (included) to 1 (excluded). */
  constructor(random: () => number, weather: Weather) {
    this.#random = random;
    this.weather = weather;
  }

  /** The end of a process. */
  end(process: string): FaultyEnd {
    const end = new FaultyEnd(this);
    this.#ends.set(process, end);
    return end;
  }

  /** The process dies: it says and hears nothing more. */
  kill(process: string): void {
    this.#ends.get(process)?.die();
    this.#ends.delete(process);
  }

  forgetAll(): void {
    this.#kept.clear();
  }

  connected(processes: readonly string[]): string[] {
    return processes.filter((process) => this.#ends.get(process)?.isInDoubt === false);
  }

  send(from: FaultyEnd, notice: RosterNotice): void {
    for (const end of this.#ends.values()) {
      if (end === from) continue;
      const times = (this.#chance(this.weather.loss) ? 0 : 1) + (this.#chance(this.weather.doubling) ? 1 : 0);
      for (let time = 0; time < times; time++) end.deliver(from, notice, this.delayMs());
    }
  }

  isLate(): boolean {
    return this.#chance(0.5);
  }

  delayMs(): number {
    return this.#random() * this.weather.maxDelayMs;
  }

  keep(roster: StoredRoster, leaseMs: number): void {
    this.#kept.set(roster.process, { roster: structuredClone(roster), until: performance.now() + leaseMs });
  }

  prolong(process: string, leaseMs: number): boolean {
    const kept = this.#live().find(({ roster }) => roster.process === process);
    if (kept) kept.until = performance.now() + leaseMs;
    return kept !== undefined;
  }

  stored(): StoredRoster[] {
    return this.#live().map(({ roster }) => structuredClone(roster));
  }

  #live(): Kept[] {
    return [...this.#kept.values()].filter(({ until }) => performance.now() < until);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}

export class FaultyEnd implements RosterExchange {
  readonly #exchange: FaultyExchange;
  readonly #listeners = new Set<(notice: RosterNotice) => void>();
  readonly #doubters = new Set<() => void>();
  /** When the last notice of each sender arrives: a sender's notices arrive in order. */
  readonly #lastAt = new Map<FaultyEnd, number>();
  #isDead = false;
  #isCut = false;

  constructor(exchange: FaultyExchange) {
    this.#exchange = exchange;
  }

  get isInDoubt(): boolean {
    return this.#isCut;
  }

  set isCut(isCut: boolean) {
    if (this.#isCut === isCut) return;
    this.#isCut = isCut;
    for (const doubt of this.#doubters) doubt();
  }

  die(): void {
    this.#isDead = true;
  }

  onDoubt(listener: () => void): () => void {
    this.#doubters.add(listener);
    return () => this.#doubters.delete(listener);
  }

  async listen(listener: (notice: RosterNotice) => void): Promise<() => void> {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(notice: RosterNotice): void {
    if (!this.#isDead && !this.#isCut) this.#exchange.send(this, structuredClone(notice));
  }

  deliver(from: FaultyEnd, notice: RosterNotice, delayMs: number): void {
    const at = Math.max(this.#lastAt.get(from) ?? 0, performance.now() + delayMs);
    this.#lastAt.set(from, at);
    setTimeout(() => {
      if (this.#isDead || this.#isCut) return;
      for (const listener of this.#listeners) listener(notice);
    }, at - performance.now());
  }

  /** Its entries are taken as late as it may be, or at once. */
  store(roster: RosterToStore, leaseMs: number): Promise<void> {
    const entries = this.#exchange.isLate() ? roster.entries : [...roster.entries];
    return this.#reach(() => this.#exchange.keep({ ...roster, entries: [...entries] }, leaseMs));
  }

  prolong(process: string, leaseMs: number): Promise<boolean> {
    return this.#reach(() => this.#exchange.prolong(process, leaseMs));
  }

  read(process: string): Promise<StoredRoster | null> {
    return this.#reach(() => this.#exchange.stored().find((one) => one.process === process) ?? null);
  }

  readAll(): Promise<StoredRoster[]> {
    return this.#reach(() => this.#exchange.stored());
  }

  exists(process: string): Promise<boolean> {
    return this.#reach(() => this.#exchange.stored().some((one) => one.process === process));
  }

  connected(processes: readonly string[]): Promise<string[]> {
    return this.#reach(() => this.#exchange.connected(processes));
  }

  /** A dead process gets no response; one that is cut off, an error. */
  #reach<T>(use: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait = () => setTimeout(() => this.#respond(use, resolve, reject), this.#exchange.delayMs());
      if (!this.#isDead) wait();
    });
  }

  #respond<T>(use: () => T, resolve: (value: T) => void, reject: (error: Error) => void): void {
    if (this.#isDead) return;
    if (this.#isCut) reject(new Error('cut off'));
    else resolve(use());
  }
}
