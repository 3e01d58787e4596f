import { describe, expect, it } from 'vitest';
import { runSeed } from '../support/random.ts';
import { planOf } from './draw-plan.ts';
import { keepSeed, keptSeeds } from './kept-seeds.ts';
import { drawsFrom, explain, play } from './play.ts';
import { simulating } from './simulation.ts';

/** The most random seeds of a test run. `npm run test:simulation` plays any number. */
const MOST_SEEDS = 1000;
const MOST_MS = 10_000;

const now = performance.now.bind(performance);

describe('the simulation', () => {
  it('the same seed gives the same trace, event by event', async () => {
    await simulating(async (simulate) => {
      // Seeds that three divides have one process.
      for (const seed of [7, 166, 4710, 31_338]) {
        const first = await simulate(planOf(seed), { tracing: true });
        await simulate(planOf(seed + 1));
        const second = await simulate(planOf(seed), { tracing: true });
        const third = await simulate(planOf(seed));
        expect(first.events).toBeGreaterThan(100);
        expect(second.trace).toEqual(first.trace);
        expect(third.fingerprint).toBe(first.fingerprint);
      }
    });
  });

  it('seeds that failed once keep every promise', { timeout: 120_000 }, async () => {
    const { failure } = await play(keptSeeds());
    if (failure) expect.fail(await explain(failure));
  });

  it('whatever is lost, late, duplicated or killed: every promise is kept', {
    timeout: 120_000,
  }, async () => {
    const first = runSeed();
    const begunAt = now();
    const { failure, ...played } = await play(drawsFrom(first, MOST_SEEDS), {
      mayGoOn: () => now() - begunAt < MOST_MS,
    });
    console.info(`seeds from ${first}:`, JSON.stringify(played));
    if (!failure) return;
    keepSeed(failure, failure.violation);
    expect.fail(await explain(failure));
  });
});
