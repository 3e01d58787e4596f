/**
 * The contract of every `OutboxStore`: plain functions without a test library, because one of them runs in a browser.
 */
import type { OutboxItem, OutboxStore } from './outbox-store.ts';

/** Opens a user's store. Every call with the same user opens the same data. */
export type OpenOutbox = (userId: number) => OutboxStore;

export interface ContractCase {
  readonly title: string;
  readonly run: (open: OpenOutbox) => Promise<void>;
}

function item(cid: string, change: Partial<OutboxItem> = {}): OutboxItem {
  return { cid, roomId: 1, content: `content of ${cid}`, createdAt: 1, refusal: null, ...change };
}

function equal(actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

const cids = (items: readonly OutboxItem[]) => items.map(({ cid }) => cid);

export const outboxStoreContract: readonly ContractCase[] = [
  {
    title: 'items are loaded unchanged, ascending by cid',
    run: async (open) => {
      const store = open(1);
      const odd = item('b', {
        content: ' \u{1F600}\n<b>\t ',
        createdAt: 1_700_000_000_000,
        refusal: 'too_fast',
        roomId: 2 ** 50,
        epoch: 'e1',
      });
      for (const one of [item('c'), odd, item('a')]) await store.put(one);
      const loaded = await store.load();
      equal(cids(loaded), ['a', 'b', 'c']);
      const [, got] = loaded;
      equal(got && [got.cid, got.roomId, got.content, got.createdAt, got.refusal, got.epoch], [
        'b',
        odd.roomId,
        odd.content,
        odd.createdAt,
        odd.refusal,
        odd.epoch,
      ]);
    },
  },
  {
    title: 'put replaces the item with the same cid',
    run: async (open) => {
      const store = open(1);
      await store.put(item('a'));
      await store.put(item('a', { refusal: 'invalid_content' }));
      equal(
        (await store.load()).map(({ refusal }) => refusal),
        ['invalid_content'],
      );
    },
  },
  {
    title: 'delete removes the item, and does nothing when there is none',
    run: async (open) => {
      const store = open(1);
      await store.put(item('a'));
      await store.delete('a');
      await store.delete('a');
      equal(await store.load(), []);
    },
  },
  {
    title: 'operations take effect in the order of the calls, awaited or not',
    run: async (open) => {
      const store = open(1);
      const puts = [store.put(item('a')), store.put(item('b')), store.delete('a')];
      const first = store.load();
      const last = [store.put(item('c')), store.clear(), store.put(item('d'))];
      equal(cids(await first), ['b']);
      await Promise.all([...puts, ...last]);
      equal(cids(await store.load()), ['d']);
    },
  },
  {
    title: 'clear deletes the items of one user only',
    run: async (open) => {
      const [ann, bo] = [open(1), open(11)];
      await Promise.all([ann.put(item('a')), bo.put(item('b'))]);
      await ann.clear();
      equal(await ann.load(), []);
      equal(cids(await bo.load()), ['b']);
    },
  },
  {
    title: 'calls before close are completed, later ones reject',
    run: async (open) => {
      const store = open(1);
      const put = store.put(item('a'));
      store.close();
      await put;
      const late = await store.load().then(
        () => 'loaded',
        () => 'rejected',
      );
      equal(late, 'rejected');
    },
  },
];
