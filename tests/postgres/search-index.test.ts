/** The contract of the index of texts on PostgreSQL. */
import { describe, expect, it } from 'vitest';
import type { SearchOrder } from '../../protocol/rest/search.ts';
import { parseQuery } from '../../protocol/search/query.ts';
import { conditionsOf } from '../../protocol/search/tokens.ts';
import { endRoom } from '../../server/data/export/room-members.ts';
import { PostgresSearch } from '../../server/data/search/postgres/postgres-search.ts';
import { describeIndex, LANGUAGES } from '../../server/data/search/search-index.contract.ts';
import { beforeAll, type Proposed } from '../../server/data/search/search-index.ts';
import { createStems, type StemLanguage } from '../../server/data/search/stems.ts';
import { NOW, newUserAndRoom, say } from '../../server/data/storage/contract/subject.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';

describe.skipIf(whyNoPostgres() !== undefined)('PostgreSQL', () => {
  it('the texts of an imported room come into the index, and nobody is notified of them', async () => {
    await using server = await PostgresServer.start();
    const address = addressOf(await server.createDatabase());
    const { store, steps } = await openPostgresStore({ address, isShared: false, onFatal });
    try {
      for (const name of ['search', 'attention'])
        await store.leaseConsumer({ name, holder: 'test', now: NOW, until: NOW + 1000, isAlone: true });
      const { user, room } = await newUserAndRoom(store);
      await say(store, { roomId: room.id, userId: user.id }, ['one', 'two']);
      await steps.run(() => endRoom({ roomId: room.id, seq: 2, madeAt: '2026-01-01', now: NOW }));
      const place = async (name: string) => (await store.consumerPlace({ name, roomId: room.id }))?.at;
      expect([await place('search'), await place('attention')]).toEqual([0, 2]);
    } finally {
      await store.close();
    }
  });

  it('a build writes nothing more once another process has the lease', async () => {
    await using server = await PostgresServer.start();
    const address = addressOf(await server.createDatabase());
    const { store, steps } = await openPostgresStore({ address, isShared: false, onFatal });
    try {
      const index = new PostgresSearch({ steps, store, words: 'any', stems: async () => () => [] });
      const take = (holder: string, now: number) =>
        store.leaseConsumer({ name: 'search', holder, now, until: now + 1000, isAlone: false });
      const text = (messageId: number) => ({ messageId, indexed: { texts: ['hello'], marks: [] } });
      await take('one', NOW);
      await index.open('one');
      expect([
        await index.add([{ roomId: 1, ...text(1) }]),
        await index.note({ fromId: 7, since: null }),
      ]).toEqual([true, true]);
      expect(await take('other', NOW + 1000)).toBe(true);
      expect([
        await index.add([{ roomId: 1, ...text(2) }]),
        await index.note({ fromId: 3, since: null }),
      ]).toEqual([false, false]);
      const all = { conditions: [], roomIds: [1], limit: 9, withinMs: 60_000 };
      const { messages } = await index.propose({ ...all, order: 'oldest', beyondId: 0 });
      expect([messages, (await index.state())?.fromId]).toEqual([[{ messageId: 1, roomId: 1 }], 7]);
    } finally {
      await store.close();
    }
  });

  it('beyond the thousand messages that are looked at one by one, all are proposed, page by page, in both orders', async () => {
    await using server = await PostgresServer.start();
    const address = addressOf(await server.createDatabase());
    const { store, steps } = await openPostgresStore({ address, isShared: false, onFatal });
    try {
      const index = new PostgresSearch({ steps, store, words: 'any', stems: async () => () => [] });
      await store.leaseConsumer({
        name: 'search',
        holder: 'test',
        now: NOW,
        until: NOW + 1000,
        isAlone: true,
      });
      await index.open('test');
      // A common word that is not in the newest 3000, one in every text, rare ones, and two that follow each other twice.
      const words = (id: number) => [
        'all',
        id <= 9000 ? 'old' : 'new',
        id % 700 === 0 ? 'needle' : '',
        id % 4500 === 7 ? 'one two' : 'two one',
      ];
      const roomOf = (id: number) => 1 + (id % 3);
      for (let from = 1; from <= 12_000; from += 500)
        await index.add(
          Array.from({ length: 500 }, (_, place) => ({
            ...{ roomId: roomOf(from + place), messageId: from + place },
            indexed: { texts: [words(from + place).join(' ')], marks: [] },
          })),
        );
      const walk = async (typed: string, order: SearchOrder, limit: number) => {
        const conditions = parseQuery(typed).terms.flatMap((term) => conditionsOf(term, () => []));
        const found: number[] = [];
        for (let beyondId: number | null = beforeAll(order); beyondId !== null; ) {
          const of = { conditions, roomIds: [1, 2], order, beyondId, limit, withinMs: 60_000 };
          const page: Proposed = await index.propose(of);
          found.push(...page.messages.map(({ messageId }) => messageId));
          beyondId = page.nextBeyondId;
        }
        return found;
      };
      const has: [typed: string, has: (id: number) => boolean][] = [
        ['old', (id) => id <= 9000],
        ['needle', (id) => id % 700 === 0],
        ['old needle all', (id) => id <= 9000 && id % 700 === 0],
        ['"one two"', (id) => id % 4500 === 7],
        ['', () => true],
        ['nowhere', () => false],
      ];
      for (const [typed, isFound] of has) {
        const ids = Array.from({ length: 12_000 }, (_, place) => place + 1);
        const expected = ids.filter((id) => isFound(id) && roomOf(id) < 3);
        expect(await walk(typed, 'oldest', 900), typed).toEqual(expected);
        expect(await walk(typed, 'newest', 900), typed).toEqual(expected.toReversed());
      }
    } finally {
      await store.close();
    }
  });

  describeIndex('PostgreSQL', async () => {
    const server = await PostgresServer.start();
    const address = addressOf(await server.createDatabase());
    const { store, steps } = await openPostgresStore({ address, isShared: false, onFatal });
    const openIndex = (languages: readonly StemLanguage[]) =>
      new PostgresSearch({ steps, store, words: languages.join(), stems: () => createStems(languages) });
    let index = openIndex(LANGUAGES);
    return {
      store,
      get index() {
        return index;
      },
      async reopen(languages) {
        index = openIndex(languages);
      },
      async dispose() {
        await store.close();
        await server[Symbol.asyncDispose]();
      },
    };
  });
});

function onFatal(error: Error): never {
  throw error;
}
