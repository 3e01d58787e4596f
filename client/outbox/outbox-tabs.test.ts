import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { Browser, contents, EPOCH, onlyCid, receipt, settled } from '../testing/outbox-browser.ts';
import { Outbox } from './outbox.ts';
import { memoryOutbox } from './outbox-store.ts';

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
