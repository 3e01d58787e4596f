import { expect, it } from 'vitest';
import { LeftOut } from './left-out.ts';

it('a message is new when its number comes, or when it comes first after its number was left out', () => {
  const leftOut = new LeftOut();
  expect(leftOut.pass({ seq: 1, changedSeq: 1 }, 0)).toBe(true);
  expect(leftOut.pass({ seq: 1, changedSeq: 2 }, 1)).toBe(false);
  // 3 was posted, then changed as 5.
  expect(leftOut.pass({ seq: 4, changedSeq: 4 }, 2)).toBe(true);
  expect(leftOut.pass({ seq: 3, changedSeq: 5 }, 4)).toBe(true);
  expect(leftOut.pass({ seq: 3, changedSeq: 6 }, 5)).toBe(false);
});

it('not more than 5 000 numbers are remembered, the latest ones', () => {
  const leftOut = new LeftOut();
  leftOut.pass({ seq: 10_000, changedSeq: 10_000 }, 0);
  expect(leftOut.pass({ seq: 4999, changedSeq: 10_001 }, 10_000)).toBe(false);
  expect(leftOut.pass({ seq: 5000, changedSeq: 10_002 }, 10_001)).toBe(true);
});
