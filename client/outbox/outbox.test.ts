import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { newCid } from './cid.ts';
import { Outbox } from './outbox.ts';
import { outboxStoreContract } from './outbox-store.contract.ts';
import { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox-store.ts';

/** Lets every promise that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const receipt = { id: 10, seq: 1, created_at: '2026-01-01T00:00:00.000Z' };

/** One store that several tabs have open, each telling the others of its changes. */
class Browser {
  readonly items = memoryOutbox();
  readonly clock = new ManualClock(1_000_000);
  readonly #tabs = new Map<object, () => void>();
  /** Whether the disk works. */
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

const contents = (items: readonly OutboxItem[]) => items.map(({ content }) => content);
const onlyCid = ({ items: [item] }: Outbox) => item?.cid ?? '';

describe('the memory outbox keeps the contract of all outbox stores', () => {
  for (const { title, run } of outboxStoreContract) {
    test(title, async () => {
      const stores = new Map<number, OutboxStore>();
      await run((userId) => {
        const store = stores.get(userId) ?? memoryOutbox();
        stores.set(userId, store);
        return store;
      });
    });
  }
});

describe('a cid', () => {
  test('sorts in the order of making, even when the clock is set back, and is never the same', () => {
    const times = [5000, 5000, 4000, 6000, 0, 6001];
    const cids = times.map(newCid);
    expect(cids.toSorted()).toEqual(cids);
    expect(new Set(cids.map((cid) => cid.slice(12))).size).toBe(cids.length);
    expect(cids[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('what is sent', () => {
  test('is seen at once, and due when it is saved: its cid outlives the page before the server knows it', async () => {
    const outbox = new Browser().tab();
    outbox.add(1, 'hello');
    expect(contents(outbox.itemsOf(1))).toEqual(['hello']);
    expect(outbox.due(1)).toEqual([]);
    await settled();
    expect(contents(outbox.due(1))).toEqual(['hello']);
    expect(outbox.dueRooms()).toEqual([1]);
  });

  test('is due although the device refuses to store it', async () => {
    const browser = new Browser();
    browser.refuses = true;
    const outbox = browser.tab();
    outbox.add(1, 'hello');
    await settled();
    expect(contents(outbox.due(1))).toEqual(['hello']);
  });

  test('is due after 2 s although the device neither stores it nor says that it does not', async () => {
    const clock = new ManualClock();
    const store = { ...memoryOutbox(), put: () => new Promise<void>(() => {}) };
    const outbox = new Outbox({ store, clock });
    outbox.add(1, 'hello');
    await settled();
    expect(outbox.due(1)).toEqual([]);
    clock.advance(2000);
    expect(contents(outbox.due(1))).toEqual(['hello']);
    outbox.close();
    expect(clock.nextInMs).toBeNull();
  });

  test('what an earlier page left is read again when it could not be read at first', async () => {
    const clock = new ManualClock();
    const store = memoryOutbox();
    await store.put({ cid: 'c1', roomId: 1, content: 'left', createdAt: 1, refusal: null });
    let isBroken = true;
    const load = () => (isBroken ? Promise.reject(new Error('locked')) : store.load());
    const outbox = new Outbox({ store: { ...store, load }, clock });
    await settled();
    isBroken = false;
    clock.advance(5000);
    await settled();
    expect(contents(outbox.due(1))).toEqual(['left']);
  });

  test('survives a reload, in order, under the same cids, for every room', async () => {
    const browser = new Browser();
    const page = browser.tab();
    for (const [room, content] of [
      [1, 'one'],
      [2, 'two'],
      [1, 'three'],
    ] as const)
      page.add(room, content);
    await settled();
    page.close();
    const next = browser.tab();
    await settled();
    expect(next.items).toEqual(page.items);
    expect(contents(next.due(1))).toEqual(['one', 'three']);
    expect(next.dueRooms()).toEqual([1, 2]);
  });

  test('goes when the server has it, and says where it stands', async () => {
    const browser = new Browser();
    const outbox = browser.tab();
    const sent = outbox.add(1, 'hello');
    await settled();
    outbox.stored(onlyCid(outbox), receipt);
    expect(outbox.items).toEqual([]);
    expect(await sent).toEqual({ outcome: 'stored', ...receipt });
    expect(await browser.items.load()).toEqual([]);
  });

  test('that was refused stays, with the reason, until it is tried again or discarded', async () => {
    const browser = new Browser();
    const outbox = browser.tab();
    const sent = outbox.add(1, 'hello');
    const cid = onlyCid(outbox);
    await settled();
    outbox.refuse(cid, 'invalid_content');
    expect(await sent).toEqual({ outcome: 'refused', code: 'invalid_content' });
    expect(outbox.due(1)).toEqual([]);
    expect(await browser.items.load()).toMatchObject([{ cid, refusal: 'invalid_content' }]);
    outbox.retry(cid);
    await settled();
    expect(outbox.due(1)).toMatchObject([{ cid, content: 'hello' }]);
    outbox.refuse(cid, 'invalid_content');
    outbox.discard(cid);
    expect(outbox.items).toEqual([]);
    await settled();
    expect(await browser.items.load()).toEqual([]);
  });

  test('is kept when the client is closed first, and all is deleted at sign-out', async () => {
    const browser = new Browser();
    const outbox = browser.tab();
    const kept = outbox.add(1, 'kept');
    await settled();
    outbox.close();
    expect(await kept).toEqual({ outcome: 'kept' });
    expect(contents(await browser.items.load())).toEqual(['kept']);
    const next = browser.tab();
    const discarded = next.add(1, 'another');
    await settled();
    await next.clear();
    expect(await discarded).toEqual({ outcome: 'discarded' });
    expect(next.items).toEqual([]);
    expect(await browser.items.load()).toEqual([]);
  });
});

describe('two tabs of one user', () => {
  test('see one outbox', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'hello');
    await settled();
    expect(there.items).toEqual(here.items);
    here.refuse(onlyCid(here), 'invalid_content');
    await settled();
    expect(there.items).toEqual(here.items);
    here.discard(onlyCid(here));
    await settled();
    expect(there.items).toEqual([]);
  });

  test('what one has delivered the other keeps in sight until its room has heard of it, 5 s at most', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'heard of');
    here.add(1, 'not heard of');
    await settled();
    for (const { cid } of here.items) here.stored(cid, receipt);
    await settled();
    expect(contents(there.items)).toEqual(['heard of', 'not heard of']);
    there.stored(onlyCid(there), receipt);
    browser.clock.advance(4999);
    expect(contents(there.items)).toEqual(['not heard of']);
    expect(there.due(1)).toEqual([]);
    browser.clock.advance(1);
    expect(there.items).toEqual([]);
  });

  test('what one has written the other sends only when it is still there after 5 s, under the same cid', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'hello');
    await settled();
    expect(there.due(1)).toEqual([]);
    let told = 0;
    there.subscribe(() => {
      told += 1;
    });
    browser.clock.advance(5000);
    await settled();
    expect(told).toBe(1);
    expect(there.due(1)).toMatchObject([{ cid: onlyCid(here), content: 'hello' }]);
  });

  test('who waits here for the receipt of what the other has delivered gets it by asking once more', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab(), browser.tab()];
    await settled();
    const sent = one.add(1, 'hello');
    await settled();
    const cid = onlyCid(one);
    browser.clock.advance(5000);
    other.stored(cid, receipt);
    await settled();
    expect(one.due(1)).toEqual([]);
    browser.clock.advance(5000);
    expect(one.due(1)).toMatchObject([{ cid }]);
    one.stored(cid, receipt);
    expect(await sent).toEqual({ outcome: 'stored', ...receipt });
    expect(one.items).toEqual([]);
  });

  test('a change elsewhere never brings back what is settled here, nor takes what is not saved yet', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'settled');
    await settled();
    // The other tab's change makes this one load; meanwhile it settles one and adds one.
    there.add(1, 'elsewhere');
    await Promise.resolve();
    await Promise.resolve();
    here.stored(onlyCid(here), receipt);
    here.add(1, 'new');
    await settled();
    expect(contents(here.items).toSorted()).toEqual(['elsewhere', 'new']);
    expect(contents(await browser.items.load()).toSorted()).toEqual(['elsewhere', 'new']);
  });

  test('a page that wakes learns what it has not been told', async () => {
    const items = memoryOutbox();
    let wake = (_signal: 'wake'): void => {};
    const signals = (listener: (signal: 'wake') => void) => {
      wake = listener;
      return () => {};
    };
    // Nobody tells this one of anything.
    const outbox = new Outbox({ store: items, signals, clock: new ManualClock(1_000_000) });
    await settled();
    await items.put({ cid: 'c', roomId: 1, content: 'elsewhere', createdAt: 1, refusal: null });
    expect(outbox.items).toEqual([]);
    wake('wake');
    await settled();
    expect(contents(outbox.items)).toEqual(['elsewhere']);
  });
});
