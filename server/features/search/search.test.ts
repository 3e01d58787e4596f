import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SqliteSearch } from '../../data/search/sqlite/sqlite-search.ts';
import { newRoom, newUserAndRoom } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { entryOf } from './entry.ts';
import { Search, WITHIN_MS } from './search.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

let opened: TemporaryStore;
let index: SqliteSearch;
const dataDir = mkdtempSync(join(tmpdir(), 'roomful-find-'));
beforeAll(async () => {
  opened = await openTemporaryStore();
  const { store } = opened;
  index = new SqliteSearch({ dataDir, epoch: 'one', languages: [], store, onDamage: () => undefined });
  await index.open('test');
});
afterAll(async () => {
  await index?.close();
  await opened?.dispose();
  rmSync(dataDir, { recursive: true });
});

it('days find what was written then, also where the ids do not ascend with time, as after an import', async () => {
  const { store } = opened;
  const { user, room } = await newUserAndRoom(store);
  const { id: oldRoomId } = await newRoom(store, user.id);
  const ids: number[] = [];
  for (const [roomId, day] of [
    [room.id, '2026-11-20'],
    [room.id, '2026-11-27'],
    [oldRoomId, '2021-05-01'],
    [oldRoomId, '2021-06-01'],
    [room.id, '2026-11-28'],
  ] as const) {
    const now = Date.parse(`${day}T10:00:00Z`);
    const stored = await store.append({ roomId, userId: user.id, content: `said ${day}`, cid: null, now });
    if (stored.outcome === 'stored') ids.push(stored.id);
  }
  for (const roomId of [room.id, oldRoomId]) {
    const rows = await store.roomTexts({ roomId, fromId: 0, beforeId: 2 ** 40, limit: 200 });
    await index.add(rows.map((row) => ({ roomId, ...entryOf(row) })));
  }
  const search = new Search({ index, store, stems: async () => () => [], budget: undefined, now: () => NOW });
  const [one, two, old, older, last] = ids;
  for (const [typed, found] of [
    ['said before:2022', [older, old]],
    ['said on:2021-05', [old]],
    ['said after:2026-11-19', [last, two, one]],
    ['after:2026-11-26', [last, two]],
    ['said after:2021-05-15 before:2026-11-21', [older, one]],
    ['said', [last, older, old, two, one]],
  ] as const)
    for (const order of ['newest', 'oldest'] as const) {
      const json = await search.page({
        ...{ userId: user.id, typed, order, beyondId: undefined, limit: 20, timeZone: 'UTC' },
      });
      const { results } = JSON.parse(json.toString()) as { results: { message: { id: number } }[] };
      const expected = order === 'newest' ? found : found.toReversed();
      expect(
        results.map(({ message }) => message.id),
        typed,
      ).toEqual(expected);
    }
});

it('the start of what answers takes nothing of the time for a page', async () => {
  const { store } = opened;
  const { user, room } = await newUserAndRoom(store);
  const now = NOW;
  await store.append({ roomId: room.id, userId: user.id, content: 'after a pause', cid: null, now });
  const rows = await store.roomTexts({ roomId: room.id, fromId: 0, beforeId: 2 ** 40, limit: 200 });
  await index.add(rows.map((row) => ({ roomId: room.id, ...entryOf(row) })));
  let isAsleep = true;
  const sleeper: Pick<SqliteSearch, 'awake' | 'propose' | 'state'> = {
    awake: async () => {
      isAsleep = false;
    },
    propose: async (proposal) => {
      if (isAsleep) await new Promise((resolve) => setTimeout(resolve, 2 * WITHIN_MS));
      return await index.propose(proposal);
    },
    state: () => index.state(),
  };
  const parts = { index: sleeper, store, stems: async () => () => [], budget: undefined, now: () => NOW };
  const json = await new Search(parts).page({
    ...{ userId: user.id, typed: 'pause', order: 'newest', beyondId: undefined, limit: 20, timeZone: 'UTC' },
  });
  expect(JSON.parse(json.toString())).toMatchObject({ results: [{}], is_complete: true });
});
