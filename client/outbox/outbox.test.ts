import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { newCid } from './cid.ts';
import { Outbox } from './outbox.ts';
import { outboxStoreContract } from './outbox-store.contract.ts';
import { memoryOutbox, type OutboxItem, type OutboxStore } from './outbox-store.ts';
import { OTHER_DATABASE } from './outcome.ts';

/** Waits until all pending promises have settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const EPOCH = 'e1';
const receipt = { id: 10, seq: 1, created_at: '2026-01-01T00:00:00.000Z' };

/** A store that several tabs share. Each tab notifies the others of its changes. */
class Browser {
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

const contents = (items: readonly OutboxItem[]) => items.map(({ content }) => content);
const onlyCid = ({ items: [item] }: Outbox) => item?.cid ?? '';

describe('the memory outbox meets the contract of outbox stores', () => {
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
  test('is unique, and sorts in the order of creation even when the clock is set back', () => {
    const times = [5000, 5000, 4000, 6000, 0, 6001];
    const cids = times.map(newCid);
    expect(cids.toSorted()).toEqual(cids);
    expect(new Set(cids.map((cid) => cid.slice(12))).size).toBe(cids.length);
    expect(cids[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('a message in the outbox', () => {
  test('is listed at once, and due once it is saved, so that a reload keeps every cid that is sent', async () => {
    const outbox = new Browser().tab();
    outbox.add(1, 'hello', EPOCH);
    expect(contents(outbox.itemsOf(1))).toEqual(['hello']);
    expect(outbox.due()).toEqual([]);
    await settled();
    expect(contents(outbox.due())).toEqual(['hello']);
  });

  test('is due although the device cannot store it', async () => {
    const browser = new Browser();
    browser.refuses = true;
    const outbox = browser.tab();
    outbox.add(1, 'hello', EPOCH);
    await settled();
    expect(contents(outbox.due())).toEqual(['hello']);
  });

  test('is due after 2 s although the device does not respond', async () => {
    const clock = new ManualClock();
    const store = { ...memoryOutbox(), put: () => new Promise<void>(() => {}) };
    const outbox = new Outbox({ store, clock });
    outbox.add(1, 'hello', EPOCH);
    await settled();
    expect(outbox.due()).toEqual([]);
    clock.advance(2000);
    expect(contents(outbox.due())).toEqual(['hello']);
    outbox.close();
    expect(clock.nextInMs).toBeNull();
  });

  test('is not due before the earlier ones of its room, whichever the device stores first', async () => {
    const puts = new Map<string, () => void>();
    const store: OutboxStore = {
      ...memoryOutbox(),
      put: ({ content }) => new Promise((resolve) => puts.set(content, resolve)),
    };
    const outbox = new Outbox({ store, clock: new ManualClock(0) });
    for (const content of ['one', 'two']) outbox.add(1, content, EPOCH);
    outbox.add(2, 'elsewhere', EPOCH);
    for (const content of ['two', 'elsewhere']) puts.get(content)?.();
    await settled();
    expect(contents(outbox.due())).toEqual(['elsewhere']);
    puts.get('one')?.();
    await settled();
    expect(contents(outbox.due())).toEqual(['one', 'two', 'elsewhere']);
  });

  test('is read again after 5 s when the first read of the store fails', async () => {
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
    expect(contents(outbox.due())).toEqual(['left']);
  });

  test('survives a reload, in order and with its cid, in every room', async () => {
    const browser = new Browser();
    const page = browser.tab();
    for (const [room, content] of [
      [1, 'one'],
      [2, 'two'],
      [1, 'three'],
    ] as const)
      page.add(room, content, EPOCH);
    await settled();
    page.close();
    const next = browser.tab();
    await settled();
    expect(next.items).toEqual(page.items);
    expect(contents(next.due())).toEqual(['one', 'two', 'three']);
  });

  test('leaves when the server has stored it, with its receipt', async () => {
    const browser = new Browser();
    const outbox = browser.tab();
    const sent = outbox.add(1, 'hello', EPOCH);
    await settled();
    outbox.stored(onlyCid(outbox), receipt);
    expect(outbox.items).toEqual([]);
    expect(await sent).toEqual({ outcome: 'stored', ...receipt });
    expect(await browser.items.load()).toEqual([]);
  });

  test('stays after a refusal, with the code, until retry or discard', async () => {
    const browser = new Browser();
    const outbox = browser.tab();
    const sent = outbox.add(1, 'hello', EPOCH);
    const cid = onlyCid(outbox);
    await settled();
    outbox.refuse(cid, 'invalid_content');
    expect(await sent).toEqual({ outcome: 'refused', code: 'invalid_content' });
    expect(outbox.due()).toEqual([]);
    expect(await browser.items.load()).toMatchObject([{ cid, refusal: 'invalid_content' }]);
    outbox.retry(cid, EPOCH);
    await settled();
    expect(outbox.due()).toMatchObject([{ cid, content: 'hello' }]);
    outbox.refuse(cid, 'invalid_content');
    outbox.discard(cid);
    expect(outbox.items).toEqual([]);
    await settled();
    expect(await browser.items.load()).toEqual([]);
  });

  test('is kept when the client closes first, and deleted at sign-out', async () => {
    const browser = new Browser();
    const outbox = browser.tab();
    const kept = outbox.add(1, 'kept', EPOCH);
    await settled();
    outbox.close();
    expect(await kept).toEqual({ outcome: 'kept' });
    expect(contents(await browser.items.load())).toEqual(['kept']);
    const next = browser.tab();
    const discarded = next.add(1, 'another', EPOCH);
    await settled();
    await next.clear();
    expect(await discarded).toEqual({ outcome: 'discarded' });
    expect(next.items).toEqual([]);
    expect(await browser.items.load()).toEqual([]);
  });
});

describe('an item of a room that connects to a database', () => {
  /** An outbox with one item that was stored earlier, for `epoch`. */
  async function left(epoch?: string) {
    const browser = new Browser();
    await browser.items.put({ cid: 'c1', roomId: 1, content: 'left', createdAt: 1, refusal: null, epoch });
    const outbox = browser.tab();
    await settled();
    return { browser, outbox };
  }

  test('is due when it was written for that database', async () => {
    const { outbox } = await left(EPOCH);
    outbox.bind(1, EPOCH);
    expect(contents(outbox.due())).toEqual(['left']);
  });

  test('is refused with other_database when it was written for another one, and retry binds it', async () => {
    const { browser, outbox } = await left('e0');
    outbox.bind(2, EPOCH);
    expect(outbox.due()).toHaveLength(1);
    outbox.bind(1, EPOCH);
    expect(outbox.due()).toEqual([]);
    await settled();
    expect(await browser.items.load()).toMatchObject([{ refusal: OTHER_DATABASE, epoch: 'e0' }]);
    outbox.retry('c1', EPOCH);
    await settled();
    outbox.bind(1, EPOCH);
    expect(outbox.due()).toMatchObject([{ cid: 'c1', epoch: EPOCH }]);
  });

  test('is bound to it when an earlier version stored it without an epoch', async () => {
    const { browser, outbox } = await left();
    outbox.bind(1, EPOCH);
    await settled();
    expect(outbox.due()).toMatchObject([{ cid: 'c1', epoch: EPOCH }]);
    expect(await browser.items.load()).toMatchObject([{ epoch: EPOCH }]);
    outbox.bind(1, 'e2');
    expect(outbox.due()).toEqual([]);
  });
});

describe('the outbox of two tabs', () => {
  test('is the same', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'hello', EPOCH);
    await settled();
    expect(there.items).toEqual(here.items);
    here.refuse(onlyCid(here), 'invalid_content');
    await settled();
    expect(there.items).toEqual(here.items);
    here.discard(onlyCid(here));
    await settled();
    expect(there.items).toEqual([]);
  });

  test('a message that one tab delivered stays in the other until it arrives there, for at most 5 s', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'heard of', EPOCH);
    here.add(1, 'not heard of', EPOCH);
    await settled();
    for (const { cid } of here.items) here.stored(cid, receipt);
    await settled();
    expect(contents(there.items)).toEqual(['heard of', 'not heard of']);
    there.stored(onlyCid(there), receipt);
    browser.clock.advance(4999);
    expect(contents(there.items)).toEqual(['not heard of']);
    expect(there.due()).toEqual([]);
    browser.clock.advance(1);
    expect(there.items).toEqual([]);
  });

  test('a message of one tab is sent by the other when it is still there after 5 s, with the same cid', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'hello', EPOCH);
    await settled();
    expect(there.due()).toEqual([]);
    let notifications = 0;
    there.subscribe(() => {
      notifications += 1;
    });
    browser.clock.advance(5000);
    await settled();
    expect(notifications).toBe(1);
    expect(there.due()).toMatchObject([{ cid: onlyCid(here), content: 'hello' }]);
  });

  test('a caller whose message the other tab delivered gets the receipt by sending it again', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab(), browser.tab()];
    await settled();
    const sent = one.add(1, 'hello', EPOCH);
    await settled();
    const cid = onlyCid(one);
    browser.clock.advance(5000);
    other.stored(cid, receipt);
    await settled();
    expect(one.due()).toEqual([]);
    browser.clock.advance(5000);
    expect(one.due()).toMatchObject([{ cid }]);
    one.stored(cid, receipt);
    expect(await sent).toEqual({ outcome: 'stored', ...receipt });
    expect(one.items).toEqual([]);
  });

  test('a caller whose message was refused in the other tab gets the refusal', async () => {
    const browser = new Browser();
    const [one, other] = [browser.tab(), browser.tab()];
    await settled();
    const sent = one.add(1, 'hello', EPOCH);
    await settled();
    browser.clock.advance(5000);
    other.refuse(onlyCid(one), 'room_not_found');
    expect(await sent).toEqual({ outcome: 'refused', code: 'room_not_found' });
    expect(one.items).toMatchObject([{ refusal: 'room_not_found' }]);
  });

  test('a change in one tab neither restores a settled message of the other nor removes an unsaved one', async () => {
    const browser = new Browser();
    const [here, there] = [browser.tab(), browser.tab()];
    await settled();
    here.add(1, 'settled', EPOCH);
    await settled();
    // The other tab's change makes this one reload, and meanwhile one message is settled and one added.
    there.add(1, 'elsewhere', EPOCH);
    await Promise.resolve();
    await Promise.resolve();
    here.stored(onlyCid(here), receipt);
    here.add(1, 'new', EPOCH);
    await settled();
    expect(contents(here.items).toSorted()).toEqual(['elsewhere', 'new']);
    expect(contents(await browser.items.load()).toSorted()).toEqual(['elsewhere', 'new']);
  });

  test('a wake reloads the store', async () => {
    const items = memoryOutbox();
    let wake = (_signal: 'wake'): void => {};
    const signals = (listener: (signal: 'wake') => void) => {
      wake = listener;
      return () => {};
    };
    // This tab receives no notifications.
    const outbox = new Outbox({ store: items, signals, clock: new ManualClock(1_000_000) });
    await settled();
    await items.put({ cid: 'c', roomId: 1, content: 'elsewhere', createdAt: 1, refusal: null });
    expect(outbox.items).toEqual([]);
    wake('wake');
    await settled();
    expect(contents(outbox.items)).toEqual(['elsewhere']);
  });
});
