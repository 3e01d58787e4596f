/** An oracle that is wrong proves nothing, so it is held against what was worked out by hand. */
import { expect, test } from 'vitest';
import { CORPUS } from '../support/search/corpus.ts';
import { EXPECTED } from '../support/search/expected.ts';
import { type SearchMessage, searchNaively } from '../support/search/naive-search.ts';

const reader = { name: 'ann', blocked: new Set<never>() };
const room = { name: 'languages', kind: 'public' as const, members: new Set([reader]) };
const messages = [...CORPUS.values()].map(
  (content, key): SearchMessage => ({
    ...{ key, room, author: reader, content, files: [], at: 0, root: null, replies: 0 },
    ...{ isDeleted: false, isEdited: false, isPinned: false, reactions: new Set(), savedBy: new Set() },
  }),
);
const names = [...CORPUS.keys()];

test.each(EXPECTED)('the naive scan finds for %j the sentences %j', (typed, keys) => {
  const found = searchNaively({ messages, reader, typed, timeZone: 'UTC', now: 0 });
  const expected = keys.split(' ').filter((key) => key !== '');
  expect(found.map((key) => names[key]).sort()).toEqual(expected.sort());
});
