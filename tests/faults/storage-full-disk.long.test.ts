import { expect, test } from 'vitest';
import { runSeed } from '../support/random.ts';
import { fillDisk } from './storage-full-disk.ts';
import { whyNoSmallDisk } from './storage-small-disk.ts';

const reason = await whyNoSmallDisk();
if (reason !== undefined) console.info(`skipped: ${reason}`);

test.skipIf(reason !== undefined).each([12, 24, 48, 96])(
  'a disk of %d MiB is full again and again, and freed again',
  { timeout: 300_000 },
  async (mebibytes) => {
    const seed = runSeed();
    const report = await fillDisk({ seed, mebibytes, rounds: 20 });
    console.info(`seed ${seed}:`, JSON.stringify(report));
    expect(report.rounds).toBeGreaterThan(1);
  },
);
