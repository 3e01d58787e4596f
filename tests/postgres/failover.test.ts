import { describe, it } from 'vitest';
import { putOnTrial } from '../faults/trial.ts';
import { whyNoPostgres } from '../support/postgres.ts';
import { failOverAsynchronously, failOverSynchronously } from './failover.ts';

const SHORT = { acksBefore: 300, acksAfter: 300 };

describe.skipIf(whyNoPostgres() !== undefined)(
  'failover of PostgreSQL under load',
  { timeout: 300_000 },
  () => {
    it('to a synchronous standby: nothing acked is lost, in the same epoch and the same process', async () => {
      const run = (seed: number) => failOverSynchronously(seed, SHORT);
      await putOnTrial({ promise: 'G8', name: 'failover, synchronous, short', run });
    });

    it('to a standby that is behind: what is lost is not silent, clients read everything anew', async () => {
      const run = (seed: number) => failOverAsynchronously(seed, SHORT);
      await putOnTrial({ promise: 'G8', name: 'control: failover, asynchronous', run });
    });
  },
);
