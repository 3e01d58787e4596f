import { expect, test } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { runSeed } from '../support/random.ts';
import { whyNotEmbedded } from '../support/server-process.ts';
import { eraseAtRandom, eraseBesideReader } from './erasure.ts';
import { eraseFromIndex } from './erasure-index.ts';
import { eraseOnPostgres } from './erasure-postgres.ts';

const notEmbedded = whyNotEmbedded();

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

test.skipIf(notEmbedded !== undefined)(
  'what was deleted, and what was edited, is in no file of the index soon after: 400 messages',
  { timeout: 240_000 },
  async () => {
    const { deleted, left } = await eraseFromIndex(runSeed(), 400);
    expect(deleted).toBeGreaterThan(60);
    expect(left).toEqual([]);
  },
);

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
