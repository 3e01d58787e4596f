import { expect, test } from 'vitest';
import { runSeed } from '../support/random.ts';
import { killMigrations } from './migration.ts';

test('kill -9 in the midst of a migration: nothing is lost, and the next start migrates all', async () => {
  const seed = runSeed();
  const { tookMs } = await killMigrations({ messages: 20_000, kills: 4, seed });
  console.info(`seed ${seed}: 20 000 messages migrated in ${tookMs} ms`);
  expect(tookMs).toBeGreaterThanOrEqual(0);
});
