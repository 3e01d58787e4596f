import { test } from 'vitest';
import { putOnTrial } from '../faults/trial.ts';
import { letOldPrimaryReturn } from './old-primary.ts';

test.each([true, false])(
  'an old primary that comes back is not used: 3 failovers; its commits wait: %s',
  async (isStillSynchronous) => {
    await putOnTrial({
      promise: 'G8',
      name: `old primary, ${isStillSynchronous ? 'synchronous' : 'alone'}`,
      run: (seed) =>
        letOldPrimaryReturn(seed, {
          ...{ failovers: 3, acks: 2000, bothMs: 30_000, silenceMs: 10_000 },
          isStillSynchronous,
        }),
    });
  },
);
