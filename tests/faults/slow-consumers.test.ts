import { expect, test } from 'vitest';
import { whyNoProc } from '../support/linux.ts';
import { stopReading } from './slow-consumers.ts';
import { putOnTrial } from './trial.ts';

test.skipIf(whyNoProc() !== undefined)(
  'a socket that stops reading is closed and resumes without a gap; the others receive everything',
  {
    timeout: 240_000,
  },
  async () => {
    await putOnTrial({
      promise: 'G4',
      name: 'slow consumers, short',
      async run() {
        const finding = await stopReading({
          ...{ drains: 40, probes: 5, slow: 5 },
          ...{ messagesPerSecond: 300, rounds: 1, quietMs: 500 },
        });
        expect(finding.rssMiB).toBeLessThanOrEqual(60);
        return finding;
      },
    });
  },
);
