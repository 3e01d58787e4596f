import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { findTerms } from '../../../../protocol/search/match.ts';
import { parseQuery } from '../../../../protocol/search/query.ts';
import { conditionsOf, tokensOf } from '../../../../protocol/search/tokens.ts';
import type { Sqlite } from '../../storage/sqlite/driver/driver.ts';
import { openDatabase } from '../../storage/sqlite/driver/open.ts';
import { SqliteIndex } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomful-index-'));
const stems = (key: string) => [key.replace(/s$/u, '')];
const VOLUME = 2 ** 18;
const LAST = Number.MAX_SAFE_INTEGER;

let files = 0;
let sqlite: Sqlite;
let index: SqliteIndex;
beforeEach(() => {
  sqlite?.close();
  sqlite = openDatabase(join(folder, `${files++}.db`), { timeoutMs: 1000 });
  index = new SqliteIndex(sqlite, { epoch: 'one', version: 1 });
});
afterAll(() => {
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

function put(roomId: number, messageId: number, text: string): void {
  index.write({ roomId, seq: messageId }, [{ messageId, tokens: tokensOf(text, stems) }]);
}

function propose(typed: string, { roomIds = [1], beforeId = LAST, limit = 20 } = {}) {
  const conditions = parseQuery(typed).terms.flatMap((term) => conditionsOf(term, stems));
  return index.propose({ conditions, roomIds, beforeId, limit }, () => false);
}

test('texts are proposed, the newest first, over all volumes, page by page', () => {
  for (const id of [3, 1, 2 * VOLUME + 5, VOLUME, VOLUME - 1]) put(1, id, 'the deploy went well');
  put(1, 4, 'lunch');
  const newest = propose('deploy', { limit: 2 });
  expect(newest).toEqual({ ids: [2 * VOLUME + 5, VOLUME], isComplete: false });
  expect(propose('deploy', { beforeId: VOLUME })).toEqual({ ids: [VOLUME - 1, 3, 1], isComplete: true });
  expect(propose('deploy', { limit: 5 }).isComplete).toBe(true);
});

test('only rooms that are asked for are proposed; of none, nothing', () => {
  put(1, 1, 'hello');
  put(12, 2, 'hello');
  expect(propose('hello', { roomIds: [12] }).ids).toEqual([2]);
  expect(propose('hello', { roomIds: [12, 1] }).ids).toEqual([2, 1]);
  expect(propose('hello', { roomIds: [] })).toEqual({ ids: [], isComplete: true });
});

test('an edited text has its new words, and a deleted one has none', () => {
  put(1, 1, 'first words');
  put(1, 1, 'second thoughts');
  expect([propose('first').ids, propose('second').ids]).toEqual([[], [1]]);
  index.write({ roomId: 1, seq: 3 }, [{ messageId: 1, tokens: null }]);
  expect(propose('second').ids).toEqual([]);
});

test('what was deleted is in no table of the file', () => {
  put(1, 1, 'aardvarkish secretum');
  put(1, 2, 'another text');
  index.write({ roomId: 1, seq: 3 }, [{ messageId: 1, tokens: null }]);
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

test('the place of a room never goes back, and is written with the entries or not at all', () => {
  index.write({ roomId: 1, seq: 8 }, []);
  index.write({ roomId: 1, seq: 5 }, []);
  expect([index.placeOf(1), index.placeOf(2)]).toEqual([8, 0]);
  const broken = { messageId: 1.5, tokens: new Set(['x']) };
  expect(() =>
    index.write({ roomId: 1, seq: 9 }, [{ messageId: 1, tokens: new Set(['here']) }, broken]),
  ).toThrow();
  expect(index.placeOf(1)).toBe(8);
  expect(propose('here').ids).toEqual([]);
});

test('another epoch of the database or version of the words begins an empty index', () => {
  put(1, 1, 'hello');
  index = new SqliteIndex(sqlite, { epoch: 'one', version: 1 });
  expect(propose('hello').ids).toEqual([1]);
  for (const state of [
    { epoch: 'two', version: 1 },
    { epoch: 'two', version: 2 },
  ]) {
    index = new SqliteIndex(sqlite, state);
    expect([propose('hello').ids, index.placeOf(1)]).toEqual([[], 0]);
    put(1, 1, 'hello');
  }
});

test('a search that takes too long says that there may be more', () => {
  put(1, 1, 'hello');
  put(1, VOLUME, 'hello');
  let asked = 0;
  const conditions = parseQuery('hello').terms.flatMap((term) => conditionsOf(term, stems));
  const proposed = index.propose({ conditions, roomIds: [1], beforeId: LAST, limit: 9 }, () => asked++ > 0);
  expect(proposed).toEqual({ ids: [VOLUME], isComplete: false });
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
