/** A check that never fails proves nothing, so it must find bugs that are planted in the running code. */
import { describe, expect, it } from 'vitest';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { drawsFor, withBug } from './planting.ts';
import { explain, play } from './play.ts';

/** `npm run test:simulation -- --planted 30` measures how many seeds each bug takes. */
const WITHIN_SEEDS = 500;

describe('planted bugs are caught', { timeout: 600_000 }, () => {
  for (const bug of PLANTED_BUGS) {
    it(bug.name, async () => {
      const { seeds, failure } = await withBug(bug, (options) =>
        play(drawsFor(bug, bug.from ?? 1, WITHIN_SEEDS), options),
      );
      if (failure === null) return expect.fail(`it was not caught within ${WITHIN_SEEDS} seeds`);
      console.info(`${bug.name}: caught by seed number ${seeds}: ${failure.violation.slice(0, 160)}`);
      expect(failure.violation).toMatch(bug.shows);
    });
  }

  it('a report names a smaller plan that shows the bug', async () => {
    const bug = PLANTED_BUGS.find(({ name }) => name === 'a resume from memory that skips one event');
    if (bug === undefined) return expect.fail('it is not planted any more');
    const left = await withBug(bug, async (options) => {
      const counts: number[] = [];
      for (let first = 1; counts.length < 5; ) {
        const { failure } = await play(drawsFor(bug, first, WITHIN_SEEDS), options);
        if (failure === null) return expect.fail('it was not caught');
        first = failure.seed + 1;
        const [, actions = ''] = (await explain(failure)).split('\n');
        counts.push(Number(/^(\d+) of \d+ actions are left/.exec(actions)?.[1]));
      }
      return counts;
    });
    // Some plans need more of their actions for the timing alone.
    expect(Math.min(...left)).toBeLessThanOrEqual(3);
  });
});
