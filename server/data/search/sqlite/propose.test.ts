import { expect, test } from 'vitest';
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import { parseQuery } from '../../../../protocol/search/query.ts';
import { conditionsOf } from '../../../../protocol/search/tokens.ts';
import { beforeAll } from '../search-index.ts';
import { proposeFrom } from './propose.ts';

const isForRooms = (match: string) => match.includes('\uE000r1"');

/**
 * Returns the queries that a single volume gets. `others`: its newest rows, all of other rooms. `latest`: for each word,
 * the id of the 32nd newest text that has it.
 */
function asked(
  typed: string,
  rooms: number,
  { others = 0, latest = {} as Record<string, number> } = {},
): string[] {
  const matches: string[] = [];
  const conditions = parseQuery(typed).terms.flatMap((term) => conditionsOf(term, () => []));
  const roomIds = Array.from({ length: rooms }, (_, place) => place + 1);
  proposeFrom(
    { conditions, roomIds, order: 'newest', beyondId: 100_000, limit: 10 },
    {
      volumes: [{ number: 0, first: 0, last: 99_999 }],
      isOver: () => false,
      newest: (_, match) => latest[/"(\w+)"/.exec(match)?.[1] ?? ''],
      find(_, { match, beyond, most }) {
        matches.push(match);
        if (isForRooms(match)) return [];
        const first = Math.max(beyond - most, 100_000 - others);
        return Array.from({ length: Math.max(0, beyond - first) }, (_row, place) => ({
          ...{ messageId: beyond - 1 - place, roomId: 1000 },
        }));
      },
    },
  );
  return matches;
}

test('of the words that others begin with, the four longest are asked for', () => {
  const [match = ''] = asked('wonder wonderful wonders wondering wonderfully', 1);
  for (const token of ['"wonderfully" *', '"wonderful" *', '"wondering" *', '"wonders" *'])
    expect(match).toContain(token);
  expect(match).not.toContain('"wonder" *');
});

test('of more than four conditions, the four rarest are asked for', () => {
  const [match = ''] = asked('an if of to "exactly" "precisely"', 1, {
    latest: { of: 99, an: 98, if: 97, precisely: 2 },
  });
  expect(match.match(/"[a-z]+"/g)?.toSorted()).toEqual(['"exactly"', '"if"', '"precisely"', '"to"']);
});

test('32 rooms are asked for; of more, texts of others are passed over, unless nearly all are of others', () => {
  expect(asked('word', 32).map(isForRooms)).toEqual([true]);
  expect(asked('word', 33).map(isForRooms)).toEqual([false]);
  expect(asked('word', 33, { others: 5000 }).map(isForRooms)).toEqual([false, false, false, true]);
  expect(asked('word', 401, { others: 5000 }).some(isForRooms)).toBe(false);
});

/** Pages of one turn each, in which time is over after every read, until there is nothing more. */
function pagesOf(order: SearchOrder, isMine: (id: number) => boolean) {
  const last = 9999;
  const found: number[] = [];
  const places: number[] = [];
  for (let next: number | null = beforeAll(order); next !== null; ) {
    let reads = 0;
    const page = proposeFrom(
      {
        ...{
          conditions: [[{ token: 'word' }]],
          roomIds: Array.from({ length: 33 }, (_, place) => place + 1),
        },
        ...{ order, beyondId: next, limit: 50 },
      },
      {
        volumes: [{ number: 0, first: 0, last }],
        isOver: () => reads > 0,
        newest: () => undefined,
        find(_, { match, beyond, most }) {
          reads++;
          const ids = Array.from({ length: last }, (_row, place) => place + 1);
          return (order === 'newest' ? ids.reverse() : ids)
            .filter((id) => (order === 'newest' ? id < beyond : id > beyond))
            .filter((id) => !isForRooms(match) || isMine(id))
            .slice(0, most)
            .map((messageId) => ({ messageId, roomId: isMine(messageId) ? 1 : 1000 }));
        },
      },
    );
    found.push(...page.messages.map(({ messageId }) => messageId));
    next = page.nextBeyondId;
    if (next !== null) places.push(next);
    if (places.length > 1000) throw new Error('no page is the last one');
  }
  return { found, places };
}

test.each(['newest', 'oldest'] as const)(
  'where time is over among texts of others, the next page (%s) names none of them, and nothing is missed',
  (order) => {
    for (const isMine of [(id: number) => id % 37 === 0, (id: number) => id < 3, () => false]) {
      const { found, places } = pagesOf(order, isMine);
      const mine = Array.from({ length: 9999 }, (_, place) => place + 1).filter(isMine);
      expect(found).toEqual(order === 'newest' ? mine.reverse() : mine);
      const isStep = (id: number) => (order === 'newest' ? id : id + 1) % 1024 === 0;
      expect(places.filter((id) => !isStep(id) && !isMine(id))).toEqual([]);
      expect(places.length).toBeGreaterThan(0);
    }
  },
);
