import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSeed } from '../support/random.ts';
import { killAppenders } from './storage-kill.ts';

test('kill -9 in the midst of appends: what was acked is there once, and a repeated cid gets its numbers', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-kill-'));
  const seed = runSeed();
  const report = await killAppenders({ dataDir, seed, kills: 4, acksPerLife: 1500 });
  console.info(`seed ${seed}:`, JSON.stringify(report));
  expect(report.acked).toBeGreaterThan(4 * 200);
  await rm(dataDir, { recursive: true });
});
