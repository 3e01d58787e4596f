/** Keeps the presence of this process and of all others in step: it owns the timers and listens to the exchange. */
import { randomUUID } from 'node:crypto';
import { within } from '../../../platform/deadline.ts';
import type { RosterFigures } from '../../../platform/metrics/figures.ts';
import type { Presence } from '../presence.ts';
import { CutOff, type CutOffParts } from './cut-off.ts';
import type { RosterExchange, RosterNotice } from './exchange.ts';
import { OtherRosters } from './other-rosters.ts';
import { OwnRoster } from './own-roster.ts';

const TICK_MS = 250;
const HEARTBEAT_MS = 5000;
/** A connected process that does not send its roster within this time stands still, or its machine is gone. */
const FRESH_WITHIN_MS = 2000;

/** Users and rooms of all rosters together. Each process holds all of them, and reads one whole after a lost notice. */
const MAX_ENTRIES = 200_000;

export interface RostersParts {
  presence: Presence;
  exchange: RosterExchange;
  /** Names this run of the process, and no other. */
  process?: string;
  /** Receives each failure of the exchange. A failure loses nothing: the next heartbeat tries again. */
  onFailure?: (error: unknown) => void;
  /** Is called once, when the rosters have more entries than they are made for. Everything goes on. */
  onTooMany?: (entries: number) => void;
  maxEntries?: number;
}

export class Rosters {
  readonly process: string;
  readonly others: OtherRosters;
  readonly #own: OwnRoster;
  readonly #exchange: RosterExchange;
  readonly #onFailure: (error: unknown) => void;
  readonly #maxEntries: number;
  #onTooMany: ((entries: number) => void) | undefined;
  #cutOff: CutOff | undefined;
  #stops: (() => void)[] = [];

  constructor(parts: RostersParts) {
    const { presence, exchange, process = randomUUID() } = parts;
    this.process = process;
    this.#exchange = exchange;
    this.#onFailure = parts.onFailure ?? (() => undefined);
    this.#maxEntries = parts.maxEntries ?? MAX_ENTRIES;
    this.#onTooMany = parts.onTooMany;
    this.others = new OtherRosters({ process, presence, exchange, now: () => performance.now() });
    const hasDatabase = () => this.#cutOff?.isHealthy ?? true;
    this.#own = new OwnRoster({ process, presence, exchange, hasDatabase });
  }

  /** Processes that this one knows, itself included, and the entries of its own roster and of all others. */
  get figures(): RosterFigures {
    return { processes: this.others.processes.length + 1, own: this.#own.size, others: this.others.size };
  }

  /** Tells the others whether this process reaches the database, and moves its users when they do and it does not. */
  watchDatabase(parts: Omit<CutOffParts, 'doOthersReachIt'>): void {
    const doOthersReachIt = () => !this.#exchange.isInDoubt && this.others.someHaveDatabase();
    this.#cutOff = new CutOff({ ...parts, doOthersReachIt });
  }

  /** To be awaited before the process listens, so that its first counts are right. Never rejects. */
  async start(): Promise<void> {
    this.#own.start();
    this.#cutOff?.start();
    const tick = setInterval(() => this.others.tick(), TICK_MS);
    const heartbeat = setInterval(() => {
      this.#checkSize();
      void this.#try(this.#own.beat());
    }, HEARTBEAT_MS);
    tick.unref();
    heartbeat.unref();
    this.#stops = [
      this.#exchange.onDoubt(() => this.#doubted()),
      () => this.#cutOff?.stop(),
      () => clearInterval(tick),
      () => clearInterval(heartbeat),
    ];
    // First listen, then read: what changes in between is heard.
    this.#stops.push(await this.#exchange.listen((notice) => this.#hear(notice)));
    await this.#try(this.#readAll());
    await within(FRESH_WITHIN_MS, this.others.refresh(), 'some do not respond').catch(() => undefined);
    await this.#try(this.#own.beat());
  }

  /** A planned stop: the others keep the users of this process for a while. Nothing changes here afterwards. */
  async leave(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    await this.#try(this.#own.leave());
  }

  async #readAll(): Promise<void> {
    for (const stored of await this.#exchange.readAll()) this.others.receive(stored);
  }

  #hear(notice: RosterNotice): void {
    if (notice.type !== 'ask') this.others.hear(notice);
    else if (notice.to === this.process) void this.#try(this.#own.respond());
  }

  #checkSize(): void {
    const entries = this.#own.size + this.others.size;
    if (entries <= this.#maxEntries) return;
    this.#onTooMany?.(entries);
    this.#onTooMany = undefined;
  }

  /** What was missed meanwhile shows by the numbers of heartbeats, so everybody sends one at once. */
  #doubted(): void {
    this.others.tick();
    if (!this.#exchange.isInDoubt) void this.#try(this.#own.beat());
  }

  async #try(work: Promise<void>): Promise<void> {
    await work.catch(this.#onFailure);
  }
}
