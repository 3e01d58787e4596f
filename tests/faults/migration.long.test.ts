import { expect, test } from 'vitest';
import { runSeed } from '../support/random.ts';
import { killMigrations } from './migration.ts';
import { announce } from './results.ts';

test('12 x kill -9 in the midst of migrating a million messages', { timeout: 900_000 }, async () => {
  const seed = runSeed();
  const { tookMs } = await killMigrations({ messages: 1_000_000, kills: 12, seed });
  announce({
    ...{ promise: 'G1', name: 'migration killed', seed },
    figures: { messages: 1_000_000, kills: 12, 'whole migration ms': tookMs },
  });
  expect(tookMs).toBeGreaterThan(0);
});
