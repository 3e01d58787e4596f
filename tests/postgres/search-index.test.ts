/** The contract of the index of texts on PostgreSQL. */
import { describe, expect, it } from 'vitest';
import { endRoom } from '../../server/data/export/room-members.ts';
import { PostgresSearch } from '../../server/data/search/postgres/postgres-search.ts';
import { describeIndex, LANGUAGES } from '../../server/data/search/search-index.contract.ts';
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
