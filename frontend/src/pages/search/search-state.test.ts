import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../client/index.ts';
import {
  type Found,
  NOTHING,
  type Result,
  reduceSearch,
  type SearchAction,
  type SearchState,
} from './search-state.ts';

function message(id: number, changes: Partial<Message> = {}): Message {
  return {
    ...{ type: 'message', id, room_id: 1 + (id % 3), user_id: 1, username: 'ann', seq: id },
    ...{ content: `text ${id}`, created_at: '2026-11-28T10:00:00.000Z' },
    ...changes,
  };
}

const result = (id: number): Result => ({ message: message(id), hits: [[0, 4]] });
const page = (ids: readonly number[], changes: Partial<Found> = {}): Found => ({
  ...{
    results: ids.map(result),
    next_before_id: null,
    is_complete: true,
    indexed_from: null,
    source: 'server',
  },
  ...changes,
});
const again = (changed: Message): Result => ({ message: changed, hits: [] });

function play(...actions: readonly SearchAction[]): SearchState {
  return actions.reduce(reduceSearch, NOTHING);
}

const ids = ({ results }: SearchState) => results.map(({ message: { id } }) => id);
const ask = { type: 'ask', query: 'text', order: 'newest' } as const;

describe('a search', () => {
  test('1. a response to an earlier question changes nothing', () => {
    const state = play(ask, { type: 'ask', query: 'other', order: 'newest' });
    for (const late of [
      { type: 'found', turn: 1, page: page([3]) },
      { type: 'failed', turn: 1, failure: 'other' },
      { type: 'read again', turn: 1, results: [], upTo: 0 },
    ] as const)
      expect(reduceSearch(state, late)).toBe(state);
  });

  test('3. what was deleted while a page was on its way is not in it', () => {
    const deleted = message(4, { content: '', deleted_at: '2026-11-28T11:00:00.000Z' });
    const state = play(
      ask,
      { type: 'changed', messages: [deleted], again },
      { type: 'found', turn: 1, page: page([5, 4, 3]) },
    );
    expect(ids(state)).toEqual([5, 3]);
  });

  test('3. a deleted message disappears, an edited one has its new text', () => {
    const state = play(
      ask,
      { type: 'found', turn: 1, page: page([5, 4]) },
      { type: 'changed', messages: [message(5, { content: 'another' })], again },
      { type: 'changed', messages: [message(4, { deleted_at: '2026-11-28T11:00:00.000Z' })], again },
    );
    expect(state.results).toEqual([{ message: message(5, { content: 'another' }), hits: [] }]);
  });

  test('a reaction leaves the hits as they are', () => {
    const state = play(
      ask,
      { type: 'found', turn: 1, page: page([5]) },
      { type: 'changed', messages: [message(5, { changed_seq: 9 })], again },
    );
    expect(state.results[0]?.hits).toEqual([[0, 4]]);
    expect(state.results[0]?.message.changed_seq).toBe(9);
  });

  test('4. while a new question waits, what was found last stays; an empty one clears it', () => {
    const before = play(ask, { type: 'found', turn: 1, page: page([5]) });
    const asking = reduceSearch(before, { type: 'ask', query: 'new', order: 'newest' });
    expect([asking.status, ids(asking)]).toEqual(['asking', [5]]);
    const cleared = reduceSearch(asking, { type: 'ask', query: '', order: 'newest' });
    expect([cleared.status, ids(cleared)]).toEqual(['idle', []]);
  });

  test('5. one page more at a time, and none after the last', () => {
    const state = play(ask, { type: 'found', turn: 1, page: page([5], { next_before_id: 5 }) });
    const asking = reduceSearch(state, { type: 'ask more' });
    expect(reduceSearch(asking, { type: 'ask more' })).toBe(asking);
    const last = reduceSearch(asking, { type: 'found more', turn: 1, page: page([3]) });
    expect(ids(last)).toEqual([5, 3]);
    expect(reduceSearch(last, { type: 'ask more' })).toBe(last);
  });

  test('a page that fails leaves what was found; the question that fails, nothing', () => {
    const found = play(ask, { type: 'found', turn: 1, page: page([5], { next_before_id: 5 }) });
    const more = [{ type: 'ask more' }, { type: 'failed', turn: 1, failure: 'other' }] as const;
    expect(more.reduce(reduceSearch, found)).toMatchObject({ status: 'ready', failure: 'other', next: 5 });
    const failed = reduceSearch(found, { type: 'ask', query: 'x', order: 'newest' });
    expect(reduceSearch(failed, { type: 'failed', turn: 2, failure: 'invalid' })).toMatchObject({
      status: 'failed',
      results: [],
    });
  });

  test('what is read again replaces what it covers, and nothing beyond it', () => {
    const state = play(
      ask,
      { type: 'found', turn: 1, page: page([9, 8, 7, 2]) },
      { type: 'read again', turn: 1, results: [result(10), result(9), result(7)], upTo: 7 },
    );
    expect(ids(state)).toEqual([10, 9, 7, 2]);
  });

  test('the same where the oldest is first', () => {
    const asked = { ...ask, order: 'oldest' } as const;
    const state = play(
      asked,
      { type: 'found', turn: 1, page: page([2, 7, 8], { next_after_id: 8 }) },
      { type: 'ask more' },
      { type: 'found more', turn: 1, page: page([9]) },
      { type: 'read again', turn: 1, results: [result(1), result(7)], upTo: 7 },
    );
    expect(ids(state)).toEqual([1, 7, 8, 9]);
  });
});

const someId = fc.integer({ min: 1, max: 12 });
const someIds = fc.uniqueArray(someId, { maxLength: 6 });
const turn = fc.integer({ min: 1, max: 4 });
const somePage = fc
  .record({ found: someIds, next: fc.option(someId), isComplete: fc.boolean() })
  .map(({ found, next, isComplete }) => page(found, { next_before_id: next, is_complete: isComplete }));
const action: fc.Arbitrary<SearchAction> = fc.oneof(
  fc.record({
    type: fc.constant('ask' as const),
    query: fc.constantFrom('', 'a', 'b'),
    order: fc.constantFrom('newest' as const, 'oldest' as const),
  }),
  fc.record({ type: fc.constant('found' as const), turn, page: somePage }),
  fc.record({ type: fc.constant('found more' as const), turn, page: somePage }),
  fc.constant({ type: 'ask more' } as const),
  fc.record({ type: fc.constant('held' as const), turn }),
  fc.record({
    type: fc.constant('failed' as const),
    turn,
    failure: fc.constantFrom('invalid' as const, 'other' as const),
  }),
  someIds.map((gone) => {
    const messages = gone.map((id) => message(id, { deleted_at: '2026-11-28T11:00:00.000Z' }));
    return { type: 'changed', messages, again } as const;
  }),
  someIds.map((edited) => {
    const messages = edited.map((id) => message(id, { content: 'edited' }));
    return { type: 'changed', messages, again } as const;
  }),
  fc.integer({ min: 1, max: 3 }).map((roomId) => ({ type: 'lost', roomIds: new Set([roomId]) }) as const),
  fc
    .record({ found: someIds, upTo: someId, turn })
    .map(
      ({ found, upTo, turn: of }) =>
        ({ type: 'read again', turn: of, results: found.map(result), upTo }) as const,
    ),
);

test('whatever happens, in any order: rules 1, 2, 3 and 5', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      let state = NOTHING;
      for (const next of actions) {
        const before = state;
        state = reduceSearch(before, next);
        const shown = ids(state);
        const inOrder = [...new Set(shown)].sort((a, b) => (state.order === 'newest' ? b - a : a - b));
        expect(shown).toEqual(inOrder);
        expect(shown.filter((id) => state.gone.has(id) && state.status !== 'asking')).toEqual([]);
        if ('turn' in next && next.turn !== before.turn) expect(state).toBe(before);
        if (state.isAskingMore) expect([state.status, state.next !== null]).toEqual(['ready', true]);
        if (next.type === 'ask') expect(state.turn).toBe(before.turn + 1);
        if (state.status === 'idle') expect(shown).toEqual([]);
      }
    }),
    { numRuns: 1000 },
  );
});
