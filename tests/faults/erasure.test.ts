import { expect, test } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { runSeed } from '../support/random.ts';
import { eraseAtRandom, eraseBesideReader } from './erasure.ts';
import { eraseOnPostgres } from './erasure-postgres.ts';

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

test.skipIf(whyNoPostgres() !== undefined)(
  'on PostgreSQL no read has it, and after VACUUM FULL no file but the write-ahead log',
  { timeout: 240_000 },
  async () => {
    const { deleted, read, before, left, lost } = await eraseOnPostgres(runSeed(), 200);
    expect(deleted).toBeGreaterThan(20);
    expect(before).toBeGreaterThan(0);
    expect({ read, left, lost }).toEqual({ read: [], left: [], lost: 0 });
  },
);
