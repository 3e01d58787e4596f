import { expect, test } from 'vitest';
import type { Entry } from '../../data/search/search-index.ts';
import { inParts } from './parts.ts';

const entry = (messageId: number, length: number): Entry => ({
  messageId,
  indexed: { texts: ['x'.repeat(length)], marks: [] },
});

test('200 texts of 4000 characters are written in parts of 8, and 200 of 100 characters at once', () => {
  const long = Array.from({ length: 200 }, (_, id) => entry(id, 4000));
  expect(inParts(long).map((part) => part.length)).toEqual(Array(25).fill(8));
  expect(inParts(long).flat()).toEqual(long);
  const short = Array.from({ length: 200 }, (_, id) => entry(id, 100));
  expect(inParts(short)).toEqual([short]);
  expect(inParts([...short, ...short])).toEqual([short, short]);
});

test('nothing is one part, and a text that is longer than a part is one, too', () => {
  expect(inParts([])).toEqual([[]]);
  expect(
    inParts([entry(1, 90_000), { messageId: 2, indexed: null }, entry(3, 1)]).map((part) => part.length),
  ).toEqual([1, 2]);
});
