/** A browser whose tabs share one outbox. */
import { Outbox } from '../outbox/outbox.ts';
import { memoryOutbox, type OutboxItem, type OutboxStore } from '../outbox/outbox-store.ts';
import { ManualClock } from './manual-clock.ts';

/** Waits until all pending promises have settled. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
export const EPOCH = 'e1';
export const receipt = { id: 10, seq: 1, created_at: '2026-01-01T00:00:00.000Z' };

/** A store that several tabs share. Each tab notifies the others of its changes. */
export class Browser {
  readonly items = memoryOutbox();
  readonly clock = new ManualClock(1_000_000);
  readonly #tabs = new Map<object, () => void>();
  /** Whether every write fails. */
  refuses = false;

  tab(): Outbox {
    const self = {};
    const change = async (operation: Promise<void>) => {
      await operation;
      for (const [tab, listener] of this.#tabs) if (tab !== self) listener();
    };
    const write = (operation: () => Promise<void>) =>
      this.refuses ? Promise.reject(new Error('no space')) : change(operation());
    const store: OutboxStore = {
      load: () => this.items.load(),
      put: (item) => write(() => this.items.put(item)),
      delete: (cid) => write(() => this.items.delete(cid)),
      clear: () => write(() => this.items.clear()),
      watch: (listener) => {
        this.#tabs.set(self, listener);
        return () => this.#tabs.delete(self);
      },
      close: () => {},
    };
    return new Outbox({ store, clock: this.clock });
  }
}

export const contents = (items: readonly OutboxItem[]) => items.map(({ content }) => content);
export const onlyCid = ({ items: [item] }: Outbox) => item?.cid ?? '';
