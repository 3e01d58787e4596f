/** A browser's storage for unsent messages. It outlives pages, is shared by tabs, and is slow. */
import { memoryOutbox, type OutboxItem, type OutboxStore } from '../../client/outbox/outbox-store.ts';
import type { Owner, World } from './world.ts';

const SLOWEST_MS = 8;

export class OutboxDisk {
  readonly #world: World;
  readonly #kept = memoryOutbox();
  readonly #watchers = new Map<Owner, () => void>();
  /** Every text that was ever stored. */
  readonly saved = new Set<string>();
  #items = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Nothing is left to send. A message that was refused waits for its author's decision, and does not count. */
  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** How many pages have opened it, including pages that are gone. */
  get tabs(): number {
    return this.#watchers.size;
  }

  /** The storage as one page sees it. */
  open(owner: Owner): OutboxStore {
    let lastAt = 0;
    let isClosed = false;
    const inOrder = <T>(label: string, run: () => Promise<T>): Promise<T> => {
      if (isClosed) return Promise.reject(new Error('the outbox is closed'));
      lastAt = Math.max(lastAt, this.#world.elapsedMs + this.#world.delay(0, SLOWEST_MS));
      return new Promise((resolve, reject) => {
        this.#world.scheduleAt(owner, label, lastAt, () => void run().then(resolve, reject));
      });
    };
    const change = (label: string, run: () => Promise<void>) =>
      inOrder(label, () => {
        this.#tellOthers(owner);
        return run();
      });
    return {
      load: () => inOrder('outbox load', () => this.#kept.load()),
      put: (item) => change('outbox put', () => this.#put(item)),
      delete: (cid) => change('outbox delete', () => this.#delete(cid)),
      clear: () => change('outbox clear', () => this.#kept.clear()),
      watch: (listener) => {
        this.#watchers.set(owner, listener);
        return () => this.#watchers.delete(owner);
      },
      close: () => {
        isClosed = true;
      },
    };
  }

  #put(item: OutboxItem): Promise<void> {
    if (item.refusal !== null) this.#items.delete(item.cid);
    else this.#items.add(item.cid);
    this.saved.add(item.content);
    return this.#kept.put(item);
  }

  #delete(cid: string): Promise<void> {
    this.#items.delete(cid);
    return this.#kept.delete(cid);
  }

  #tellOthers(owner: Owner): void {
    for (const [other, listener] of this.#watchers) {
      if (other !== owner)
        this.#world.schedule(other, 'outbox changed', this.#world.delay(0, SLOWEST_MS), listener);
    }
  }
}
