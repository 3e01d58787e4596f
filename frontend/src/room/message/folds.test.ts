import { expect, test } from 'vitest';
import { isLongerThan } from './folds.ts';

test('lines count as they are written and as they wrap', () => {
  expect(isLongerThan('a\n'.repeat(25), 26, 80)).toBe(false);
  expect(isLongerThan('a\n'.repeat(26), 26, 80)).toBe(true);
  expect(isLongerThan('a'.repeat(80 * 26 - 1), 26, 80)).toBe(false);
  expect(isLongerThan('a'.repeat(80 * 26), 26, 80)).toBe(true);
  expect(isLongerThan(`${'a'.repeat(90)}\n`.repeat(13), 26, 80)).toBe(true);
});
