import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [3449, '3.4 kB'],
  [12_345, '12 kB'],
  [999_600, '1 MB'],
  [104_857_600, '105 MB'],
  [2_500_000_000, '2.5 GB'],
])('%i bytes are %s', (bytes, words) => {
  expect(fileSize({ locale: 'en' }, bytes)).toBe(words);
});
