import { describe, it } from 'vitest';
import { putOnTrial } from '../faults/trial.ts';
import { whyNoCluster } from '../support/cluster.ts';
import { letOldPrimaryReturn } from './old-primary.ts';

const SHORT = { failovers: 1, acks: 200, bothMs: 8000, silenceMs: 10_000 };

describe.skipIf(whyNoCluster() !== undefined)(
  'an old primary that comes back is not used, and nothing acked is lost',
  { timeout: 300_000 },
  () => {
    it('whose commits wait for its standby for ever', async () => {
      const run = (seed: number) => letOldPrimaryReturn(seed, { ...SHORT, isStillSynchronous: true });
      await putOnTrial({ promise: 'G8', name: 'old primary, synchronous, short', run });
    });

    it('which takes writes alone', async () => {
      const run = (seed: number) => letOldPrimaryReturn(seed, { ...SHORT, isStillSynchronous: false });
      await putOnTrial({ promise: 'G8', name: 'old primary, alone, short', run });
    });
  },
);
