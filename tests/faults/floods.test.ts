import { expect, test } from 'vitest';
import { whyNoProc } from '../support/linux.ts';
import { flood } from './floods.ts';
import { putOnTrial } from './trial.ts';

test.skipIf(whyNoProc() !== undefined)(
  'every kind of flood is closed; the others receive everything, and the memory of the server stays small',
  { timeout: 120_000 },
  async () => {
    await putOnTrial({
      promise: 'G4',
      name: 'floods, short',
      async run() {
        const finding = await flood({ sockets: 2, probes: 3, floodMs: 600, quietMs: 300 });
        for (const [name, { rssMiB }] of Object.entries(finding.floods)) {
          expect.soft({ name, swells: rssMiB > 150 }).toEqual({ name, swells: false });
        }
        return finding;
      },
    });
  },
);
