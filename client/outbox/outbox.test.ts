import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { Browser, contents, EPOCH, onlyCid, receipt, settled } from '../testing/outbox-browser.ts';
import { newCid } from './cid.ts';
import { Outbox } from './outbox.ts';
import { outboxStoreContract } from './outbox-store.contract.ts';
import { memoryOutbox, type OutboxStore } from './outbox-store.ts';
import { OTHER_DATABASE } from './outcome.ts';

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
