import { expect, test } from 'vitest';
import { runSeed } from '../support/random.ts';
import { fillDisk } from './storage-full-disk.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';

const reason = await whyNoSmallDisk();
if (reason !== undefined) console.info(`skipped: ${reason}`);

test.skipIf(reason !== undefined)(
  'a full disk refuses as retryable, reads go on, and with space again it goes on by itself',
  async () => {
    const seed = runSeed();
    const report = await fillDisk({ seed, mebibytes: 16, rounds: 3 });
    console.info(`seed ${seed}:`, JSON.stringify(report));
    expect(report.rounds).toBe(3);
  },
);
