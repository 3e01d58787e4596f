/** A user's unsent messages in all rooms: kept in a store, shared by all tabs, each gone when the server has it. */

import { type Cancel, type Clock, systemClock } from '../clock.ts';
import type { HostSignals } from '../connection/host-signals.ts';
import { newCid } from './cid.ts';
import { byCid, type OutboxItem, type OutboxStore } from './outbox-store.ts';

/** The place that the server gave a message. */
export interface Receipt {
  readonly id: number;
  readonly seq: number;
  readonly created_at: string;
}

/** What became of a message. */
export type Outcome =
  | ({ readonly outcome: 'stored' } & Receipt)
  /** The server will not have it; `code` as in the protocol's table of errors. */
  | { readonly outcome: 'refused'; readonly code: string }
  | { readonly outcome: 'discarded' }
  /** The client was closed first. The message is in the outbox, as far as that outlives the client. */
  | { readonly outcome: 'kept' };

/**
 * What another tab has written is its to send; after this long, that tab may be gone. And what another tab took out has
 * arrived; for this long it is kept in sight, as the room may not have heard of it here.
 */
const FOREIGN_GRACE_MS = 5000;
/** A device that takes longer to store is one that refuses to. */
const SAVE_WITHIN_MS = 2000;
/** What an earlier page left may be readable later. */
const LOAD_AGAIN_MS = 5000;

interface Entry {
  readonly item: OutboxItem;
  /** The store has it as it is here. */
  readonly saved: boolean;
  /**
   * `held`: not to be sent from here, for now: its cid must be saved before the server may know it, or another tab is at
   * it. `leaving`: another tab took it out.
   */
  readonly phase: 'held' | 'ready' | 'leaving';
}

export class Outbox {
  readonly #store: OutboxStore;
  readonly #clock: Clock;
  readonly #cancelWatch: Cancel;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();
  readonly #entries = new Map<string, Entry>();
  readonly #timers = new Set<Cancel>();
  /** The items in order, until the next change. */
  #sorted: readonly OutboxItem[] | null = null;
  /** What changed here since the present load began: what is loaded may be older. */
  #touched = new Set<string>();
  #loading = false;
  #mustReload = false;
  #isFirstLoad = true;
  #isTelling = false;
  #closed = false;

  constructor(options: {
    readonly store: OutboxStore;
    readonly signals?: HostSignals | undefined;
    readonly clock?: Clock | undefined;
  }) {
    this.#store = options.store;
    this.#clock = options.clock ?? systemClock;
    const cancelWatch = this.#store.watch(() => void this.#load());
    // A page that slept has not heard what other tabs told meanwhile.
    const cancelSignals = options.signals?.((signal) => {
      if (signal === 'wake') void this.#load();
    });
    this.#cancelWatch = () => {
      cancelWatch();
      cancelSignals?.();
    };
    void this.#load();
  }

  /** Ascending by the time at which they were written. */
  get items(): readonly OutboxItem[] {
    this.#sorted ??= [...this.#entries.values()].map(({ item }) => item).sort(byCid);
    return this.#sorted;
  }

  itemsOf(roomId: number): readonly OutboxItem[] {
    return this.items.filter((item) => item.roomId === roomId);
  }

  /** What may be sent to a room now, in order. */
  due(roomId: number): readonly OutboxItem[] {
    return this.items.filter((item) => item.roomId === roomId && this.#isDue(item));
  }

  /** The rooms that something is due in. */
  dueRooms(): readonly number[] {
    const due = this.items.filter((item) => this.#isDue(item));
    return [...new Set(due.map((item) => item.roomId))];
  }

  /** Calls `listener` soon after changes, until cancelled. */
  subscribe(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes a message in. */
  add(roomId: number, content: string): Promise<Outcome> {
    if (this.#closed) return Promise.resolve({ outcome: 'discarded' });
    const now = this.#clock.now();
    const item: OutboxItem = { cid: newCid(now), roomId, content, createdAt: now, refusal: null };
    const outcome = new Promise<Outcome>((resolve) => this.#waiting.set(item.cid, resolve));
    this.#save(item);
    return outcome;
  }

  /** The server has it. */
  stored(cid: string, { id, seq, created_at }: Receipt): void {
    this.#delete(cid);
    this.#answer(cid, { outcome: 'stored', id, seq, created_at });
  }

  /** The server will never take it as it is: the user decides. */
  refuse(cid: string, code: string): void {
    const entry = this.#entries.get(cid);
    if (entry !== undefined) this.#save({ ...entry.item, refusal: code });
    this.#answer(cid, { outcome: 'refused', code });
  }

  /** Sends a refused message again. */
  retry(cid: string): void {
    const entry = this.#entries.get(cid);
    if (entry !== undefined && entry.item.refusal !== null) this.#save({ ...entry.item, refusal: null });
  }

  /** Gives a message up. One that is on its way may arrive all the same. */
  discard(cid: string): void {
    this.#delete(cid);
    this.#answer(cid, { outcome: 'discarded' });
  }

  /** Gives all up: the user signs out of this device. */
  async clear(): Promise<void> {
    for (const { cid } of this.items) this.discard(cid);
    await this.#store.clear().catch(ignore);
  }

  /** Ends the work of this outbox; the store keeps what it has. */
  close(): void {
    this.#closed = true;
    this.#cancelWatch();
    for (const cancel of [...this.#timers]) cancel();
    this.#listeners.clear();
    for (const cid of [...this.#waiting.keys()]) this.#answer(cid, { outcome: 'kept' });
    this.#store.close();
  }

  #isDue({ cid, refusal }: OutboxItem): boolean {
    return refusal === null && this.#entries.get(cid)?.phase === 'ready';
  }

  #answer(cid: string, outcome: Outcome): void {
    this.#waiting.get(cid)?.(outcome);
    this.#waiting.delete(cid);
  }

  #save(item: OutboxItem): void {
    const { cid } = item;
    this.#touched.add(cid);
    this.#set({ item, saved: false, phase: 'held' });
    const done = (saved: boolean) => {
      // Unless it went or changed meanwhile.
      if (this.#entries.get(cid)?.item === item) this.#set({ item, saved, phase: 'ready' });
    };
    // A device that refuses to store is no reason not to send.
    const cancel = this.#later(SAVE_WITHIN_MS, () => done(false));
    this.#store
      .put(item)
      .then(
        () => done(true),
        () => done(false),
      )
      .finally(cancel);
  }

  #delete(cid: string): void {
    if (!this.#entries.has(cid)) return;
    this.#touched.add(cid);
    this.#forget(cid);
    // One that stays in the store is sent once more some day, and recognised as a repeat.
    this.#store.delete(cid).catch(ignore);
  }

  #set(entry: Entry): void {
    this.#entries.set(entry.item.cid, entry);
    this.#changed();
  }

  #forget(cid: string): void {
    this.#entries.delete(cid);
    this.#changed();
  }

  /** Learns what the store has. */
  async #load(): Promise<void> {
    this.#mustReload = true;
    if (this.#loading) return;
    this.#loading = true;
    while (this.#mustReload && !this.#closed) {
      this.#mustReload = false;
      this.#touched = new Set();
      const loaded = await this.#store.load().catch(() => null);
      if (this.#closed) break;
      if (loaded !== null) this.#merge(loaded);
      else if (this.#isFirstLoad) this.#later(LOAD_AGAIN_MS, () => void this.#load());
    }
    this.#loading = false;
  }

  #merge(loaded: readonly OutboxItem[]): void {
    const there = new Set(loaded.map(({ cid }) => cid));
    for (const item of loaded) if (!this.#touched.has(item.cid)) this.#found(item);
    for (const { item, saved, phase } of [...this.#entries.values()]) {
      const isGone = saved && !there.has(item.cid) && !this.#touched.has(item.cid);
      if (isGone && phase !== 'leaving') this.#missed(item);
    }
    this.#isFirstLoad = false;
  }

  #found(item: OutboxItem): void {
    const entry = this.#entries.get(item.cid);
    if (entry !== undefined) {
      if (entry.saved) this.#set({ ...entry, item });
      return;
    }
    // What an earlier page left behind is nobody else's.
    if (this.#isFirstLoad) return this.#set({ item, saved: true, phase: 'ready' });
    this.#set({ item, saved: true, phase: 'held' });
    this.#later(FOREIGN_GRACE_MS, () => {
      const now = this.#entries.get(item.cid);
      if (now?.phase === 'held' && now.saved) this.#set({ ...now, phase: 'ready' });
    });
  }

  /** What another tab took out of the store: it has arrived, or it had been refused and was discarded. */
  #missed(item: OutboxItem): void {
    if (item.refusal !== null) return this.#forget(item.cid);
    this.#set({ item, saved: true, phase: 'leaving' });
    this.#later(FOREIGN_GRACE_MS, () => {
      if (this.#entries.get(item.cid)?.phase !== 'leaving') return;
      // Who waits here for its receipt gets it by asking once more: the server knows it as a repeat.
      if (this.#waiting.has(item.cid)) this.#set({ item, saved: false, phase: 'ready' });
      else this.#forget(item.cid);
    });
  }

  #later(delayMs: number, run: () => void): Cancel {
    const stop = this.#clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      run();
    });
    const cancel = () => {
      stop();
      this.#timers.delete(cancel);
    };
    this.#timers.add(cancel);
    return cancel;
  }

  /** Changes that come in one go are told once. */
  #changed(): void {
    this.#sorted = null;
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}

function ignore(): void {}
