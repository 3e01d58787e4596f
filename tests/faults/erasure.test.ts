import { expect, test } from 'vitest';
import { runSeed } from '../support/random.ts';
import { eraseAtRandom, eraseBesideReader } from './erasure.ts';

test('what was deleted is in no file of the database soon after, nor are its earlier texts', {
  timeout: 240_000,
}, async () => {
  const { deleted, left, lost } = await eraseAtRandom(runSeed(), 600);
  expect(deleted).toBeGreaterThan(60);
  expect(left).toEqual([]);
  expect(lost).toBe(0);
});

test('while another program reads, posting goes on; what was deleted is erased once it has ended', {
  timeout: 240_000,
}, async () => {
  const { posted, leftMeanwhile, leftAfter } = await eraseBesideReader();
  expect(posted).toBe(50);
  expect(leftMeanwhile).toBe(true);
  expect(leftAfter).toBe(false);
});
