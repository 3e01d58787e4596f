import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, type Message } from '../../../../client/index.ts';
import type { SearchPage } from '../../../../protocol/rest/search.ts';
import { SearchSession } from './search-session.ts';
import type { Result } from './search-state.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function message(id: number, content = `text ${id}`): Message {
  return {
    ...{ type: 'message', id, room_id: 1, user_id: 1, username: 'ann', seq: id, content },
    created_at: '2026-11-28T10:00:00.000Z',
  };
}

const result = (id: number): Result => ({ message: message(id), hits: [] });
const page = (ids: readonly number[], next: number | null = null): SearchPage => ({
  ...{ results: ids.map(result), next_before_id: next, is_complete: true, indexed_from: null },
});

/** A session whose server answers with these pages, one after the other, and what it was asked. */
function sessionOf(...answers: readonly (SearchPage | ApiError)[]) {
  const asked: string[] = [];
  let at = 0;
  const session = new SearchSession({
    ask: async (query, { order, beyondId, limit }) => {
      const parts = [query, order === 'oldest' ? order : undefined, beyondId, limit];
      asked.push(parts.filter((part) => part !== undefined).join(' '));
      const answer = answers[Math.min(at++, answers.length - 1)] ?? page([]);
      if (answer instanceof ApiError) throw answer;
      return answer;
    },
    askDevice: async () => ({ results: [result(1)], rooms: 3 }),
    again: (_, changed) => ({ message: changed, hits: [] }),
    onChange: () => undefined,
  });
  return { session, asked, ids: () => session.state.results.map(({ message: { id } }) => id) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a session', () => {
  test('asks once somebody pauses, and not again for the same', async () => {
    const { session, asked } = sessionOf(page([1]));
    for (const typed of ['z', 'ze', 'zep']) session.type(typed);
    await vi.advanceTimersByTimeAsync(1000);
    session.submit('zep');
    await settle();
    expect(asked).toEqual(['zep']);
  });

  test('Enter asks at once', async () => {
    const { session, asked } = sessionOf(page([1]));
    session.type('zep');
    session.submit('zep');
    await settle();
    expect(asked).toEqual(['zep']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['zep']);
  });

  test('goes on where a page ended, once', async () => {
    const { session, asked, ids } = sessionOf(page([9, 8], 8), page([7]));
    session.ask('zep');
    await settle();
    session.more();
    session.more();
    await settle();
    session.more();
    await settle();
    expect([asked, ids()]).toEqual([
      ['zep', 'zep 8'],
      [9, 8, 7],
    ]);
  });

  test('asks again in the other order, which stays, and goes on there', async () => {
    const ofOldest: SearchPage = { ...page([1, 2]), next_after_id: 2 };
    const { session, asked, ids } = sessionOf(page([9, 8], 8), ofOldest, page([3]), page([4]));
    session.ask('zep');
    await settle();
    session.sort('oldest');
    session.sort('oldest');
    await settle();
    session.more();
    await settle();
    expect(ids()).toEqual([1, 2, 3]);
    session.ask('zeppelin');
    await settle();
    expect(asked).toEqual(['zep', 'zep oldest', 'zep oldest 2', 'zeppelin oldest']);
    session.clear();
    expect(session.state.order).toBe('newest');
  });

  test('a result that came while what is shown was read again stays', async () => {
    const { session, ids } = sessionOf(page([9, 8], 8), page([9], 9), page([7]), page([8]));
    session.ask('zep');
    await settle();
    session.readAgain();
    vi.advanceTimersByTime(800);
    session.more();
    await settle();
    expect(ids()).toEqual([9, 8, 7]);
  });

  test('waits as long as the server asks for, and goes on by itself', async () => {
    const refused = new ApiError(429, 'too many requests', { retryAfterMs: 2000 });
    const { session, ids } = sessionOf(refused, page([5]));
    session.ask('zep');
    await settle();
    expect(session.state).toMatchObject({ status: 'asking', failure: 'busy' });
    await vi.advanceTimersByTimeAsync(1999);
    expect(ids()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([ids(), session.state.failure]).toEqual([[5], null]);
  });

  test('what waits for the server is dropped when something else is looked for', async () => {
    const refused = new ApiError(429, 'too many requests', { retryAfterMs: 2000 });
    const { session, asked } = sessionOf(refused, page([5]));
    session.ask('zep');
    await settle();
    session.ask('other');
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toEqual(['zep', 'other']);
  });

  test('without a server the device answers, until the server is back', async () => {
    const { session, ids } = sessionOf(new ApiError(0, 'offline'), page([5]));
    session.ask('zep');
    await settle();
    expect(session.state).toMatchObject({ source: 'device', deviceRooms: 3, status: 'ready' });
    expect(ids()).toEqual([1]);
    session.backOnline();
    await settle();
    expect([session.state.source, ids()]).toEqual(['server', [5]]);
  });

  test('a query that is none fails, and the device is not asked', async () => {
    const { session } = sessionOf(new ApiError(400, 'invalid query'));
    session.ask('!!!');
    await settle();
    expect(session.state).toMatchObject({ status: 'failed', failure: 'invalid', source: 'server' });
  });

  test('an edited message has its new text at once, and the server is asked whether it is still found', async () => {
    const { session, asked, ids } = sessionOf(page([5, 4]), page([4]));
    session.ask('zep');
    await settle();
    session.changed([message(5, 'another text')]);
    expect(session.state.results[0]?.message.content).toBe('another text');
    await vi.advanceTimersByTimeAsync(1000);
    expect([asked, ids()]).toEqual([['zep', 'zep 50'], [4]]);
  });

  test('many changes are looked at together, and not too often', async () => {
    const { session, asked } = sessionOf(page([5, 4]));
    session.ask('zep');
    await settle();
    for (let change = 0; change < 40; change++) {
      session.readAgain();
      await vi.advanceTimersByTimeAsync(250);
    }
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test('all pages that are shown are read again, and none beyond them', async () => {
    const { session, asked, ids } = sessionOf(
      page([9, 8], 8),
      page([7, 6], 6),
      page([9, 8], 8),
      page([7, 5], 5),
    );
    session.ask('zep');
    await settle();
    session.more();
    await settle();
    session.readAgain();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['zep', 'zep 8', 'zep 50', 'zep 8 50']);
    expect(ids()).toEqual([9, 8, 7]);
    expect(session.state.next).toBe(6);
  });

  test('nothing of an earlier user is left', async () => {
    const { session, ids } = sessionOf(page([5]));
    session.ask('zep');
    session.clear();
    await settle();
    expect([ids(), session.state.query]).toEqual([[], '']);
  });
});
