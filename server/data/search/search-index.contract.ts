import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchOrder } from '../../../protocol/rest/search.ts';
import { parseQuery } from '../../../protocol/search/query.ts';
import { conditionsOf } from '../../../protocol/search/tokens.ts';
import { NOW, newUser, newUserAndRoom, say } from '../storage/contract/subject.ts';
import type { Store } from '../storage/store.ts';
import { marks } from './marks.ts';
import { beforeAll as beforeAllIds, type Entry, type SearchIndex } from './search-index.ts';
import { createStems, type StemLanguage } from './stems.ts';

export interface IndexUnderTest {
  readonly index: SearchIndex;
  readonly store: Store;
  /** Opens the index again on the same data, with these languages. */
  reopen(languages: readonly StemLanguage[]): Promise<void>;
  dispose(): Promise<void>;
}

export const LANGUAGES: readonly StemLanguage[] = ['en'];

/** What every index of texts promises; run over each adapter. */
export function describeIndex(name: string, open: () => Promise<IndexUnderTest>): void {
  describe(`SearchIndex contract: ${name}`, () => {
    let subject: IndexUnderTest;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(async () => await subject?.dispose());

    /** As its consumer does. */
    async function openAs(holder: string) {
      const lease = { holder, now: NOW, until: NOW, isAlone: true };
      await subject.store.leaseConsumer({ name: 'search', ...lease });
      return await subject.index.open(holder);
    }

    const entry = (messageId: number, text: string): Entry => ({
      messageId,
      indexed: { texts: [text], marks: [marks.author(1)] },
    });

    async function find(
      typed: string,
      of: { roomIds: number[]; order?: SearchOrder; beyondId?: number; limit?: number },
    ) {
      const stems = await createStems(LANGUAGES);
      const conditions = parseQuery(typed).terms.flatMap((term) => conditionsOf(term, stems));
      const { order = 'newest' } = of;
      const query = { order, beyondId: beforeAllIds(order), limit: 20, withinMs: 60_000, ...of };
      const { messages, nextBeyondId } = await subject.index.propose({ conditions, ...query });
      return { ids: messages.map(({ messageId }) => messageId), nextBeyondId };
    }

    /** A room with its messages in the database. */
    async function furnished(texts: string[]) {
      const { user, room } = await newUserAndRoom(subject.store);
      const said =
        texts.length === 0 ? [] : await say(subject.store, { roomId: room.id, userId: user.id }, texts);
      return { room, ids: said.map(({ id }) => id) };
    }

    it('begins at the heads of all rooms, and then takes what is written from there alone', async () => {
      const { room, ids } = await furnished(['one', 'two']);
      const { index } = subject;
      await index.clear();
      expect(await index.write({ roomId: room.id, from: 0, to: 2 }, [entry(1, 'early')])).toBe(false);
      expect(await openAs('test')).toBe(null);
      expect(await index.place(room.id)).toEqual({ roomId: room.id, at: 2, head: 2 });
      expect(await index.write({ roomId: room.id, from: 1, to: 3 }, [entry(3, 'lost')])).toBe(false);
      expect(await index.write({ roomId: room.id, from: 2, to: 3 }, [entry(ids[0] ?? 0, 'kept')])).toBe(true);
      expect(await index.place(room.id)).toMatchObject({ at: 3 });
      expect((await find('kept', { roomIds: [room.id] })).ids).toEqual([ids[0]]);
      expect((await find('lost', { roomIds: [room.id] })).ids).toEqual([]);
      const { room: later } = await furnished(['news']);
      const { rooms } = await index.behind({ after: later.id - 1, limit: 10 });
      expect(rooms).toEqual([{ roomId: later.id, at: 0, head: 1 }]);
    });

    it('writes several rooms together, without those whose cursor is elsewhere', async () => {
      const [one, lost, other] = await Promise.all([
        furnished(['one']),
        furnished(['lost']),
        furnished(['other']),
      ]);
      const { index } = subject;
      await index.clear();
      await openAs('test');
      const write = ({ room, ids }: typeof one, text: string, from = 1) => ({
        move: { roomId: room.id, from, to: 2 },
        entries: [entry(ids[0] ?? 0, text)],
      });
      const writes = [write(one, 'common first'), write(lost, 'common', 0), write(other, 'common second')];
      expect(await index.writeAll(writes)).toEqual([true, false, true]);
      const roomIds = [one, lost, other].map(({ room }) => room.id);
      const { ids } = await find('common', { roomIds });
      expect(new Set(ids)).toEqual(new Set([...one.ids, ...other.ids]));
      const places = await Promise.all(roomIds.map((id) => index.place(id)));
      expect(places.map((place) => place?.at)).toEqual([2, 1, 2]);
      expect(await index.writeAll([])).toEqual([]);
    });

    it('remembers how far a build has come, until the words are made in another way', async () => {
      const { index } = subject;
      await openAs('test');
      await index.note({ fromId: 77, since: 1_700_000_000_000 });
      await subject.reopen(LANGUAGES);
      expect(await openAs('test')).toEqual({ fromId: 77, since: 1_700_000_000_000 });
      expect(await subject.index.state()).toEqual({ fromId: 77, since: 1_700_000_000_000 });
      await subject.index.add([{ roomId: 1, ...entry(1, 'hello') }]);
      await subject.reopen(['de']);
      expect(await openAs('test')).toBe(null);
      expect((await find('hello', { roomIds: [1] })).ids).toEqual([]);
      await subject.reopen(LANGUAGES);
      expect(await openAs('test')).toBe(null);
    });

    it('takes nothing from a build before it is opened', async () => {
      const { index } = subject;
      await index.clear();
      const written = async () => [
        await index.add([{ roomId: 1, ...entry(1, 'hello') }]),
        await index.note({ fromId: 5, since: null }),
      ];
      expect(await written()).toEqual([false, false]);
      expect([await openAs('test'), (await find('hello', { roomIds: [1] })).ids]).toEqual([null, []]);
      expect(await written()).toEqual([true, true]);
    });

    it('proposes messages of the rooms that are asked for, the newest first, page by page', async () => {
      const { index } = subject;
      await index.clear();
      await openAs('test');
      const ids = [5, 2 ** 16, 2 ** 18 + 1, 2 ** 20];
      for (const id of ids)
        await index.add([{ roomId: id % 2 === 0 ? 2 : 1, ...entry(id, 'the deploy went well') }]);
      await index.add([{ roomId: 2, ...entry(7, 'deployed') }]);
      const newest = await find('deploy', { roomIds: [1, 2], limit: 2 });
      expect(newest).toEqual({ ids: [2 ** 20, 2 ** 18 + 1], nextBeyondId: 2 ** 18 + 1 });
      expect((await find('deploy', { roomIds: [1, 2], beyondId: 2 ** 18 + 1 })).ids).toEqual([2 ** 16, 7, 5]);
      const oldest = await find('deploy', { roomIds: [1, 2], order: 'oldest', limit: 3 });
      expect(oldest).toEqual({ ids: [5, 7, 2 ** 16], nextBeyondId: 2 ** 16 });
      const rest = { roomIds: [1, 2], order: 'oldest' as const, beyondId: 2 ** 16 };
      expect(await find('deploy', rest)).toEqual({ ids: [2 ** 18 + 1, 2 ** 20], nextBeyondId: null });
      expect((await find('deploy', { roomIds: [1] })).ids).toEqual([2 ** 18 + 1, 5]);
      expect((await find('', { roomIds: [2] })).ids).toEqual([2 ** 20, 2 ** 16, 7]);
      expect((await find('deploy', { roomIds: [] })).ids).toEqual([]);
      const many = Array.from({ length: 900 }, (_, place) => place + 2);
      expect((await find('deploy', { roomIds: many })).ids).toEqual([2 ** 20, 2 ** 16, 7]);
      expect(await index.bytes()).toBeGreaterThan(0);
    });

    it('has the new words of a text that was edited, and none of one that was deleted', async () => {
      const { index } = subject;
      await index.clear();
      await openAs('test');
      await index.add([{ roomId: 1_000_000, ...entry(1, 'first words') }]);
      await index.add([{ roomId: 1_000_000, ...entry(1, "second 'thoughts' \\ & | ! :*") }]);
      const found = async (typed: string) => (await find(typed, { roomIds: [1_000_000] })).ids;
      expect([await found('first'), await found('second')]).toEqual([[], [1]]);
      await index.write({ roomId: 1_000_000, from: 0, to: 2 }, [{ messageId: 1, indexed: null }]);
      expect([await found('second'), await found('')]).toEqual([[], []]);
    });

    it('forgets a room that is gone, piece by piece, and its cursor at last', async () => {
      const { room } = await furnished(['hello']);
      const { index } = subject;
      await index.clear();
      await openAs('test');
      const many = Array.from({ length: 501 }, (_, place) => ({
        roomId: room.id,
        ...entry(place + 1, 'hello'),
      }));
      await index.add(many);
      const known = async () => (await index.rooms({ after: 0, limit: 1000 })).includes(room.id);
      expect([await known(), await index.forget(room.id)]).toEqual([true, true]);
      expect([await known(), await index.forget(room.id)]).toEqual([true, false]);
      expect([await known(), (await find('', { roomIds: [room.id] })).ids]).toEqual([false, []]);
    });

    it('a new user and a room without messages are nothing to it', async () => {
      await newUser(subject.store);
      const { room } = await furnished([]);
      expect((await subject.index.behind({ after: room.id - 1, limit: 1 })).rooms).toEqual([]);
    });
  });
}
