import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSeed } from '../support/random.ts';
import { killAppenders } from './storage-kill.ts';

test('50 x kill -9 in the midst of appends', { timeout: 900_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-kill-'));
  const seed = runSeed();
  const report = await killAppenders({ dataDir, seed, kills: 50, acksPerLife: 6000 });
  console.info(`seed ${seed}:`, JSON.stringify(report));
  expect(report.recovered).toBeGreaterThan(0);
  await rm(dataDir, { recursive: true });
});
