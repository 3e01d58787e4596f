/** A user's unsent messages in all rooms: stored, shared by all tabs, and removed once the server has them. */
import { type Cancel, type Clock, systemClock } from '../clock.ts';
import type { HostSignals } from '../connection/host-signals.ts';
import type { Answers } from './answers.ts';
import { newCid } from './cid.ts';
import { areUploaded, type OutboxFile } from './outbox-files.ts';
import { byCid, type OutboxItem, type OutboxStore } from './outbox-store.ts';
import { OTHER_DATABASE, type Outcome, type Receipt } from './outcome.ts';
import { withFile } from './unsent-files.ts';

/**
 * The tab that added an item sends it; after this long that tab may be gone, and any tab sends it. An item that
 * another tab removed stays visible for this long, because the message may not have arrived here yet.
 */
const FOREIGN_GRACE_MS = 5000;
/** A write that takes longer counts as failed. */
const SAVE_WITHIN_MS = 2000;
/** The delay before a failed first load is repeated. */
const LOAD_AGAIN_MS = 5000;

interface Entry {
  readonly item: OutboxItem;
  /** Whether the store holds this version of the item. */
  readonly saved: boolean;
  /**
   * `held`: not to be sent yet. Either its cid is not saved, and the server must not see it before, or another tab is
   * sending it. `leaving`: another tab has removed it.
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
  /** A cache of `items` until the next change. */
  #sorted: readonly OutboxItem[] | null = null;
  /** The cids that changed here since the current load began. What it loads for them may be outdated. */
  #touched = new Set<string>();
  #loading = false;
  #mustReload = false;
  #isFirstLoad = true;
  #isNotifying = false;
  #closed = false;

  constructor(options: {
    readonly store: OutboxStore;
    readonly signals?: HostSignals | undefined;
    readonly clock?: Clock | undefined;
  }) {
    this.#store = options.store;
    this.#clock = options.clock ?? systemClock;
    const cancelWatch = this.#store.watch(() => void this.#load());
    // A suspended page has missed the notifications of other tabs.
    const cancelSignals = options.signals?.((signal) => {
      if (signal === 'wake') void this.#load();
    });
    this.#cancelWatch = () => {
      cancelWatch();
      cancelSignals?.();
    };
    void this.#load();
  }

  /** In the order in which they were written. */
  get items(): readonly OutboxItem[] {
    this.#sorted ??= [...this.#entries.values()].map(({ item }) => item).sort(byCid);
    return this.#sorted;
  }

  itemsOf(roomId: number): readonly OutboxItem[] {
    return this.items.filter((item) => item.roomId === roomId);
  }

  /** What may be sent now, in order. An item that is being saved holds back the later ones of its room; files do not. */
  due(): readonly OutboxItem[] {
    const behind = new Set<number>();
    return this.items.filter(({ cid, roomId, refusal, files }) => {
      const entry = this.#entries.get(cid);
      if (entry === undefined || refusal !== null || !areUploaded(files)) return false;
      if (entry.phase === 'held' && !entry.saved) behind.add(roomId);
      return entry.phase === 'ready' && !behind.has(roomId);
    });
  }

  /** Calls `listener` in a microtask after changes, until cancelled. */
  subscribe(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds a message. `epoch`: the database that its author saw; null when that is not known. */
  add(roomId: number, content: string, epoch: string | null, answers: Answers = {}): Promise<Outcome> {
    if (this.#closed) return Promise.resolve({ outcome: 'discarded' });
    const now = this.#clock.now();
    const text = { cid: newCid(now), roomId, content, createdAt: now, refusal: null };
    const item = { ...text, ...known(epoch), ...answers };
    const outcome = new Promise<Outcome>((resolve) => this.#waiting.set(item.cid, resolve));
    this.#save(item);
    return outcome;
  }

  /**
   * Binds the due items of a room to the database that the client is connected to. Items of another database are
   * refused with `OTHER_DATABASE`. Call it before sending what is due.
   */
  bind(roomId: number, epoch: string): void {
    for (const item of this.due()) {
      if (item.roomId !== roomId) continue;
      if (item.epoch === undefined) this.#save({ ...item, epoch });
      else if (item.epoch !== epoch) this.refuse(item.cid, OTHER_DATABASE);
    }
  }

  /** The server has stored the message. */
  stored(cid: string, { id, seq, created_at }: Receipt): void {
    const files = this.#entries.get(cid)?.item.files;
    this.#delete(cid);
    this.#settle(cid, { outcome: 'stored', id, seq, created_at, ...(files && { files }) });
  }

  /** The server refuses the message for good. It stays in the outbox until `retry` or `discard`. */
  refuse(cid: string, code: string): void {
    const entry = this.#entries.get(cid);
    if (entry !== undefined) this.#save({ ...entry.item, refusal: code });
    this.#settle(cid, { outcome: 'refused', code });
  }

  /** What is known of a file of unsent messages has changed: it is uploaded, or has to be once more. */
  fileChanged(file: OutboxFile): void {
    for (const item of withFile(this.items, file)) this.#save(item);
  }

  /** Sends a refused message again, into the database `epoch`: see `add`. */
  retry(cid: string, epoch: string | null): void {
    const item = this.#entries.get(cid)?.item;
    if (item === undefined || item.refusal === null) return;
    const { epoch: _, ...rest } = item;
    this.#save({ ...rest, refusal: null, ...known(epoch) });
  }

  /** Removes a message. One that was already sent may still arrive. */
  discard(cid: string): void {
    this.#delete(cid);
    this.#settle(cid, { outcome: 'discarded' });
  }

  /** Discards everything: the user signs out of this device. */
  async clear(): Promise<void> {
    for (const { cid } of this.items) this.discard(cid);
    await this.#store.clear().catch(ignore);
  }

  /** Stops all work. The store keeps its items. */
  close(): void {
    this.#closed = true;
    this.#cancelWatch();
    for (const cancel of [...this.#timers]) cancel();
    this.#listeners.clear();
    for (const cid of [...this.#waiting.keys()]) this.#settle(cid, { outcome: 'kept' });
    this.#store.close();
  }

  #settle(cid: string, outcome: Outcome): void {
    this.#waiting.get(cid)?.(outcome);
    this.#waiting.delete(cid);
  }

  #save(item: OutboxItem): void {
    const { cid } = item;
    this.#touched.add(cid);
    this.#set({ item, saved: false, phase: 'held' });
    const done = (saved: boolean) => {
      // Unless it was removed or changed in the meantime.
      if (this.#entries.get(cid)?.item === item) this.#set({ item, saved, phase: 'ready' });
    };
    // A device that cannot store must not block sending.
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
    // An item that stays in the store is sent again one day, and the server recognises the cid.
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

  /** Reads the store, again and again until nothing has changed meanwhile. */
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
      if (entry.saved) this.#changedElsewhere({ ...entry, item });
      return;
    }
    // An item of an earlier page belongs to no other tab.
    if (this.#isFirstLoad) return this.#set({ item, saved: true, phase: 'ready' });
    this.#set({ item, saved: true, phase: 'held' });
    this.#later(FOREIGN_GRACE_MS, () => {
      const now = this.#entries.get(item.cid);
      if (now?.phase === 'held' && now.saved) this.#set({ ...now, phase: 'ready' });
    });
  }

  /** Another tab may have met a refusal, which the caller here waits for, too. */
  #changedElsewhere(entry: Entry): void {
    const { cid, refusal } = entry.item;
    this.#set(entry);
    if (refusal !== null) this.#settle(cid, { outcome: 'refused', code: refusal });
  }

  /** Another tab has removed the item: it was stored, or the user discarded it after a refusal. */
  #missed(item: OutboxItem): void {
    if (item.refusal !== null) return this.#forget(item.cid);
    this.#set({ item, saved: true, phase: 'leaving' });
    this.#later(FOREIGN_GRACE_MS, () => {
      if (this.#entries.get(item.cid)?.phase !== 'leaving') return;
      // A caller here waits for the outcome. Sending it again gets the ack, as the server recognises the cid.
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

  /** Coalesces the changes of one turn into one notification. */
  #changed(): void {
    this.#sorted = null;
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}

function known(epoch: string | null): { readonly epoch?: string } {
  return epoch === null ? {} : { epoch };
}

function ignore(): void {}
