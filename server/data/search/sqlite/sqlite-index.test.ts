import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import { findTerms } from '../../../../protocol/search/match.ts';
import { parseQuery } from '../../../../protocol/search/query.ts';
import { conditionsOf } from '../../../../protocol/search/tokens.ts';
import type { Sqlite } from '../../storage/sqlite/driver/driver.ts';
import { openDatabase } from '../../storage/sqlite/driver/open.ts';
import { SqliteIndex } from './sqlite-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomful-index-'));
const stems = (key: string) => [key.replace(/s$/u, '')];
const VOLUME = 2 ** 18;
const LAST = Number.MAX_SAFE_INTEGER;
const ONE = { epoch: 'one', words: '1' };
const INDEXED = { texts: [], marks: [] };

let files = 0;
let sqlite: Sqlite;
let index: SqliteIndex;
beforeEach(() => {
  sqlite?.close();
  sqlite = openDatabase(join(folder, `${files++}.db`), { timeoutMs: 1000 });
  index = new SqliteIndex(sqlite, ONE, stems);
  index.begin([]);
});
afterAll(() => {
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

function put(roomId: number, messageId: number, text: string): void {
  index.add([{ roomId, messageId, indexed: { texts: [text], marks: [] } }]);
}

interface Wanted {
  roomIds?: number[];
  order?: SearchOrder;
  beyondId?: number;
  limit?: number;
}

function propose(typed: string, { roomIds = [1], order = 'newest', limit = 20, ...of }: Wanted = {}) {
  const beyondId = of.beyondId ?? (order === 'newest' ? LAST : 0);
  const conditions = parseQuery(typed).terms.flatMap((term) => conditionsOf(term, stems));
  const { messages, nextBeyondId } = index.propose(
    { conditions, roomIds, order, beyondId, limit },
    () => false,
  );
  return { ids: messages.map(({ messageId }) => messageId), nextBeyondId };
}

test('texts are proposed, the newest first, over all volumes, page by page', () => {
  for (const id of [3, 1, 2 * VOLUME + 5, VOLUME, VOLUME - 1]) put(1, id, 'the deploy went well');
  put(1, 4, 'lunch');
  const newest = propose('deploy', { limit: 2 });
  expect(newest).toEqual({ ids: [2 * VOLUME + 5, VOLUME], nextBeyondId: VOLUME });
  expect(propose('deploy', { beyondId: VOLUME })).toEqual({ ids: [VOLUME - 1, 3, 1], nextBeyondId: null });
  expect(propose('deploy', { limit: 6 }).nextBeyondId).toBe(null);
});

test('the oldest are proposed first where that is asked for, over all volumes, page by page', () => {
  const ids = [1, 3, VOLUME - 1, VOLUME, 2 * VOLUME + 5];
  for (const id of ids) put(1, id, 'the deploy went well');
  const order = 'oldest';
  expect(propose('deploy', { order, limit: 2 })).toEqual({ ids: [1, 3], nextBeyondId: 3 });
  expect(propose('deploy', { order, beyondId: 3 })).toEqual({ ids: ids.slice(2), nextBeyondId: null });
  expect(propose('deploy', { order, beyondId: VOLUME - 1 }).ids).toEqual(ids.slice(3));
});

test('only rooms that are asked for are proposed; of none, nothing', () => {
  put(1, 1, 'hello');
  put(12, 2, 'hello');
  expect(propose('hello', { roomIds: [12] }).ids).toEqual([2]);
  expect(propose('hello', { roomIds: [12, 1] }).ids).toEqual([2, 1]);
  expect(propose('hello', { roomIds: [] })).toEqual({ ids: [], nextBeyondId: null });
});

test('an edited text has its new words, and a deleted one has none', () => {
  put(1, 1, 'first words');
  put(1, 1, 'second thoughts');
  expect([propose('first').ids, propose('second').ids]).toEqual([[], [1]]);
  index.add([{ roomId: 1, messageId: 1, indexed: null }]);
  expect(propose('second').ids).toEqual([]);
});

test('of many rooms all texts are proposed, page by page, also among many texts of others', () => {
  const roomIds = Array.from({ length: 40 }, (_, place) => place + 1);
  const mine = new Map<number, number>([
    [100, 1],
    [101, 40],
  ]);
  for (let id = 102; id <= 3000; id += 140) mine.set(id, 1 + (id % 40));
  for (let id = 1; id <= 3000; id++) put(mine.get(id) ?? 99, id, 'hello');
  const expected = [...mine.keys()].sort((one, other) => other - one);
  const walked: number[] = [];
  for (let beyondId: number | null = LAST; beyondId !== null; ) {
    const page: ReturnType<typeof propose> = propose('hello', { roomIds, beyondId, limit: 7 });
    walked.push(...page.ids);
    beyondId = page.nextBeyondId;
  }
  expect(walked).toEqual(expected);
  expect(propose('hello', { roomIds: roomIds.slice(1, 39) }).ids).not.toContain(100);
});

test('a text that is edited together with later ones hides none of them', () => {
  for (const id of [1, 2, 3]) put(1, id, 'the same words');
  const entry = (messageId: number, text: string) => ({
    roomId: 1,
    messageId,
    indexed: { texts: [text], marks: [] },
  });
  const entries = [entry(2, 'the same words again'), entry(4, 'the same words'), entry(5, 'the same words')];
  index.add([...entries, entry(4, 'the same words once more')]);
  expect(propose('words').ids).toEqual([5, 4, 3, 2, 1]);
  expect(propose('again').ids).toEqual([2]);
  expect(propose('more').ids).toEqual([4]);
  sqlite.exec("INSERT INTO v0 (v0) VALUES ('integrity-check')");
});

test('what was deleted is in no table of the file', () => {
  put(1, 1, 'aardvarkish secretum');
  put(1, 2, 'another text');
  index.add([{ roomId: 1, messageId: 1, indexed: null }]);
  const tables = sqlite
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE name LIKE 'v0_%'")
    .all();
  const all = tables.flatMap(({ name }) => sqlite.prepare(`SELECT * FROM ${name}`).all());
  const bytes = Buffer.concat(
    all.flatMap((row) =>
      Object.values(row as object).map((value) =>
        Buffer.from(
          String(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
          'latin1',
        ),
      ),
    ),
  );
  expect(bytes.includes('secretum')).toBe(false);
  expect(bytes.includes('another')).toBe(true);
});

test('entries are written with the cursor or not at all, and only from where it is', () => {
  index.clear(ONE);
  expect(index.write({ roomId: 1, from: 0, to: 8 }, [])).toBe(false);
  index.begin([]);
  expect(index.write({ roomId: 1, from: 0, to: 8 }, [])).toBe(true);
  expect(index.write({ roomId: 1, from: 5, to: 9 }, [{ messageId: 1, indexed: INDEXED }])).toBe(false);
  expect(index.places([1, 2])).toEqual([{ roomId: 1, seq: 8 }]);
  const here = { messageId: 1, indexed: { texts: ['here'], marks: [] } };
  const broken = { messageId: 1.5, indexed: INDEXED };
  expect(() => index.write({ roomId: 1, from: 8, to: 9 }, [here, broken])).toThrow();
  expect(index.places([1])).toEqual([{ roomId: 1, seq: 8 }]);
  expect(propose('here').ids).toEqual([]);
});

test('another epoch of the database, or other words, begin an empty index', () => {
  put(1, 1, 'hello');
  index.begin([{ roomId: 1, seq: 4 }]);
  index.note({ fromId: 0, since: null });
  index = new SqliteIndex(sqlite, ONE, stems);
  expect([propose('hello').ids, index.isBegun, index.state()?.fromId]).toEqual([[1], true, 0]);
  for (const of of [
    { epoch: 'two', words: '1' },
    { epoch: 'two', words: '2' },
  ]) {
    index = new SqliteIndex(sqlite, of, stems);
    expect([propose('hello').ids, index.isBegun, index.state(), index.places([1])]).toEqual([
      [],
      false,
      null,
      [],
    ]);
    index.begin([{ roomId: 1, seq: 4 }]);
    put(1, 1, 'hello');
    index.note({ fromId: 0, since: null });
  }
});

test('a room is forgotten with all that it has, piece by piece', () => {
  for (let id = 1; id <= 700; id++) put(id % 7 === 0 ? 2 : 1, id, 'hello');
  index.begin([
    { roomId: 1, seq: 600 },
    { roomId: 2, seq: 100 },
  ]);
  expect([index.rooms({ after: 0, limit: 9 }), index.rooms({ after: 1, limit: 9 })]).toEqual([[1, 2], [2]]);
  expect(index.rooms({ after: 0, limit: 1 })).toEqual([1]);
  expect([index.forget(1), index.forget(1)]).toEqual([true, false]);
  expect([propose('hello', { limit: 1000 }).ids, index.rooms({ after: 0, limit: 9 })]).toEqual([[], [2]]);
  expect(propose('hello', { roomIds: [2], limit: 1000 }).ids).toHaveLength(100);
});

test('of more rooms than a query can name, only those that are asked for are proposed', () => {
  for (let id = 1; id <= 3000; id++) put(id, id, 'hello');
  const roomIds = Array.from({ length: 500 }, (_, index) => 3 + 6 * index).filter((id) => id <= 3000);
  const first = propose('hello', { roomIds, limit: 300 });
  const rest = propose('hello', { roomIds, limit: 300, beyondId: first.nextBeyondId ?? 0 });
  expect([...first.ids, ...rest.ids]).toEqual(roomIds.toReversed());
});

test('a search that takes too long says that there may be more', () => {
  put(1, 1, 'hello');
  put(1, VOLUME, 'hello');
  let asked = 0;
  const conditions = parseQuery('hello').terms.flatMap((term) => conditionsOf(term, stems));
  const of = { conditions, roomIds: [1], order: 'newest' as const, beyondId: LAST, limit: 9 };
  const proposed = index.propose(of, () => asked++ > 0);
  expect(proposed).toEqual({ messages: [{ messageId: VOLUME, roomId: 1 }], nextBeyondId: VOLUME });
});

const PIECE = fc.oneof(
  fc.constantFrom(
    ...[
      'AND',
      'OR',
      'NOT',
      'NEAR',
      '"',
      '*',
      '(',
      'v0',
      'runs',
      'user_id',
      '今天',
      '天',
      '👍',
      'x'.repeat(80),
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const TEXT = fc.array(PIECE, { maxLength: 6 }).map((pieces) => pieces.join(' '));

test('whatever is typed is a valid query, and every text that it finds is proposed', () => {
  let id = 0;
  fc.assert(
    fc.property(TEXT, TEXT, (text, typed) => {
      put(1, ++id, text);
      const { terms } = parseQuery(typed);
      const { ids } = propose(typed, { limit: 1 });
      const wanted = terms.filter(({ isExcluded }) => !isExcluded);
      if (wanted.length > 0 && wanted.length === terms.length && findTerms([text], terms, stems) !== null)
        expect(ids).toEqual([id]);
    }),
    { numRuns: 1500 },
  );
});
