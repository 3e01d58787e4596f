/**
 * A consumer of the rooms' logs: does what happens because of messages, later and apart from posting them. It goes
 * through the log of each room in order. What it writes, and how far it has come, are one command of the store, so that
 * a crash neither repeats nor loses an effect in the database. A room in which the work fails waits for its next try
 * alone; the others go on.
 *
 * The bus is the doorbell. A sweep finds what was announced to nobody: at the start, and every few seconds where other
 * processes may post. One process at a time runs it and holds a lease. The cursors tell a process that has lost it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, BusEvent } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { type Logger, throttled } from '../../platform/log.ts';
import { LeaseHolder } from './lease-holder.ts';
import { News } from './news.ts';
import { Places } from './places.ts';
import { SWEEP_MS, Sweep } from './sweep.ts';
import { TroubledRooms } from './troubled-rooms.ts';
import {
  type Backlog,
  type Cursors,
  FailedAt,
  type Lease,
  LostCursor,
  storeCursors,
  type Work,
} from './work.ts';

/**
 * News is collected for this long, so that a busy room costs one read, not one for each message. Work that costs less in
 * larger pieces has a longer time from one run to the next (`Work.everyMs`).
 */
const COLLECT_MS = 100;
const LEASE: Lease = { heldMs: 10_000, renewMs: 3000 };
const RETRY = { firstMs: 200, maxMs: 10_000 };
/** Rooms with news that are remembered; a sweep finds the others. */
const MAX_ROOMS = 10_000;
/** If this many rooms in a row begin to fail, the database is taken to be away, and no room is blamed. */
const MAX_NEW_FAILURES = 3;

export interface LogConsumerOptions {
  store: Store;
  /** By default those of the store. */
  cursors?: Cursors;
  lease?: Lease;
  bus: Bus;
  log: Logger;
  now: Now;
  /** Other processes use the database, too. */
  isShared: boolean;
}

export class LogConsumer {
  readonly #work: Work;
  readonly #options: LogConsumerOptions;
  readonly #lease: LeaseHolder;
  readonly #unsubscribe: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #news = new News();
  readonly #hasNews = (roomId: number) => this.#news.has(roomId);
  readonly #places: Places;
  readonly #sweep: Sweep;
  readonly #troubled = new TroubledRooms();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  /** The last run that had news. */
  #begunAt = Number.NEGATIVE_INFINITY;
  #scheduled: { timer: NodeJS.Timeout; at: number } | undefined;
  readonly #stopping = new AbortController();
  #retryMs: number = RETRY.firstMs;

  /** Rooms whose news wait, how long the first of them has, and whether this process is the one that consumes. */
  get backlog(): Backlog {
    return { roomsBehind: this.#news.size, lagMs: this.#news.lagMs, hasLease: this.#lease.isHeld };
  }

  constructor(work: Work, options: LogConsumerOptions) {
    this.#work = work;
    this.#options = options;
    const { lease = LEASE, now, isShared } = options;
    const { cursors = storeCursors(options.store, work.name) } = options;
    this.#places = new Places(cursors);
    this.#sweep = new Sweep({
      cursors,
      places: this.#places,
      news: this.#news,
      maxRooms: MAX_ROOMS,
      isShared,
    });
    this.#lease = new LeaseHolder({ cursors, lease, now, isShared });
    this.#onError = throttled((error, count) =>
      options.log.warn(
        { err: error, consumer: work.name, count },
        'a consumer of the logs has failed, and tries again',
      ),
    );
    this.#unsubscribe = options.bus.subscribe((event) => this.#hear(event));
    this.#schedule(0);
    this.#timer = setInterval(() => this.#schedule(0), isShared ? lease.renewMs : SWEEP_MS).unref();
  }

  /** Finishes what is under way, and lets another process go on. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    clearInterval(this.#timer);
    clearTimeout(this.#scheduled?.timer);
    await this.#running;
    if (!this.#lease.isHeld) return;
    await this.#work.end?.();
    // What fails here is handled once more, by whoever takes the lease when it has run out.
    await this.#places.store(this.#hasNews).catch(() => undefined);
    await this.#lease.release().catch(() => undefined);
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #hear(event: BusEvent): void {
    if (event.type === 'head') return this.#note(event.roomId, event.seq);
    if (event.type !== 'message') return;
    const { roomId, message } = event;
    const place = this.#places.get(roomId);
    const isNext = place !== undefined && message.seq === place.at + 1 && message.changedSeq === message.seq;
    const isPlain = isNext && message.facts === null && message.notice === null;
    if (place && isPlain && !this.#news.has(roomId) && this.#work.isIdle?.(roomId)) place.at = message.seq;
    else this.#note(roomId, message.changedSeq);
  }

  #note(roomId: number, seq: number): void {
    // The sweep finds them after the lease is taken.
    if (!this.#lease.isHeld) return;
    if (this.#news.size >= MAX_ROOMS && !this.#news.has(roomId)) {
      this.#sweep.request();
      return;
    }
    if (seq <= (this.#places.get(roomId)?.at ?? 0)) return;
    this.#news.set(roomId, Math.max(seq, this.#news.get(roomId) ?? 0));
    this.#schedule(this.#collectMs);
  }

  get #collectMs(): number {
    const sinceBegunMs = performance.now() - this.#begunAt;
    return Math.max(COLLECT_MS, (this.#work.everyMs ?? 0) - sinceBegunMs);
  }

  #schedule(afterMs: number): void {
    const at = performance.now() + afterMs;
    if (this.#isStopped || this.#running || (this.#scheduled && this.#scheduled.at <= at)) return;
    clearTimeout(this.#scheduled?.timer);
    this.#scheduled = { timer: setTimeout(() => this.#begin(), afterMs).unref(), at };
  }

  #begin(): void {
    this.#scheduled = undefined;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      const newsMs = Math.max(this.#retryMs, this.#collectMs);
      const afterMs = this.#ready().length > 0 ? newsMs : this.#troubled.nextMs;
      if (this.#lease.isHeld && afterMs < Number.POSITIVE_INFINITY) this.#schedule(afterMs);
    });
  }

  async #run(): Promise<void> {
    try {
      if (!(await this.#keepLease())) return;
      await this.#places.storeSometimes(this.#hasNews);
      if (this.#sweep.isDue) await this.#sweep.run(this.#stopping.signal);
      // What comes meanwhile is collected for the next run.
      const ready = this.#ready();
      if (ready.length > 0) this.#begunAt = performance.now();
      if (!(await this.#consumeAll(ready))) return;
      this.#retryMs = COLLECT_MS;
    } catch (error) {
      this.#retryMs = Math.min(Math.max(this.#retryMs, RETRY.firstMs) * 2, RETRY.maxMs);
      if (!this.#isStopped) this.#onError(error);
    }
  }

  /** Rooms with news that are not left alone. */
  #ready(): [roomId: number, seq: number][] {
    return [...this.#news].filter(([roomId]) => !this.#troubled.isWaiting(roomId));
  }

  /** False: the lease was lost, or the consumer stops. Throws when everything fails. */
  async #consumeAll(rooms: readonly [roomId: number, seq: number][]): Promise<boolean> {
    let newFailures = 0;
    const { roomsAtOnce: atOnce = 1, spreadMs = 0 } = this.#work;
    const pauseMs = spreadMs / Math.ceil(rooms.length / atOnce);
    for (let start = 0; start < rooms.length; start += atOnce) {
      if (start > 0 && pauseMs >= 1) await this.#pause(pauseMs);
      if (this.#isStopped) return false;
      const some = rooms.slice(start, start + atOnce);
      for (const { roomId, failure, after } of await Promise.all(some.map((room) => this.#try(room)))) {
        if (!failure) {
          this.#troubled.recover(roomId);
          newFailures = 0;
          continue;
        }
        if (!this.#troubled.has(roomId)) newFailures++;
        this.#onFailure(roomId, failure.reason, after);
        if (newFailures >= MAX_NEW_FAILURES) throw failure.reason;
      }
      if (!(await this.#keepLease())) return false;
    }
    return true;
  }

  /** Ends early when the consumer stops. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, this.#stopping).catch(() => undefined);
  }

  /** Where the work fails, the cursor stays where it is, so that nothing is left out. */
  async #try([roomId, seq]: [roomId: number, seq: number]) {
    try {
      await this.#consume(roomId, seq);
      return { roomId };
    } catch (reason) {
      const after = this.#places.get(roomId)?.at;
      this.#places.forget(roomId);
      return { roomId, failure: { reason }, after };
    }
  }

  #onFailure(roomId: number, error: unknown, after: number | undefined): void {
    const count = this.#troubled.fail(roomId);
    if (count === 0 || this.#isStopped) return;
    const where = error instanceof FailedAt ? { err: error.cause, seq: error.seq } : { err: error };
    const { name } = this.#work;
    const message = 'a consumer of the logs cannot go on in a room, and tries again';
    this.#options.log.error({ ...where, consumer: name, roomId, after, count }, message);
  }

  async #consume(roomId: number, seq: number): Promise<void> {
    const place = await this.#places.find(roomId);
    if (!place) return void this.#news.delete(roomId);
    try {
      while (place.at < seq && !this.#isStopped) {
        const { at, stored, head } = await this.#work.consume({ roomId, ...place });
        const isStuck = at === place.at;
        place.at = at;
        place.stored = stored;
        // The announcement was of a number that the database does not have, as after a loss.
        if (isStuck && head <= at) break;
      }
    } catch (error) {
      if (!(error instanceof LostCursor)) throw error;
      this.#places.forget(roomId);
      this.#lease.lose();
      return await this.#work.end?.();
    }
    this.#news.done(roomId, Math.max(place.at, seq));
  }

  /** False: another process has it. */
  async #keepLease(): Promise<boolean> {
    const state = await this.#lease.keep();
    switch (state) {
      case 'held':
        return true;
      case 'taken':
        this.#places.clear();
        this.#sweep.request();
        this.#work.begin?.();
        return true;
      case 'lost':
      case 'not held':
        this.#places.clear();
        this.#news.clear();
        this.#troubled.clear();
        if (state === 'lost') await this.#work.end?.();
        return false;
    }
  }
}
