import { expect, test } from 'vitest';
import { stopReading } from './slow-consumers.ts';
import { putOnTrial } from './trial.ts';

test('50 non-readers among 500 sockets: p99 of the healthy at most 1.2 times, memory at most 60 MiB more', async () => {
  await putOnTrial({
    promise: 'G4',
    name: 'slow consumers',
    async run() {
      const finding = await stopReading({
        ...{ drains: 430, probes: 20, slow: 50 },
        ...{ messagesPerSecond: 40, rounds: 5, quietMs: 8000 },
      });
      expect.soft(finding.p99Ratio).toBeLessThanOrEqual(1.2);
      expect.soft(finding.rssMiB).toBeLessThanOrEqual(60);
      return finding;
    },
  });
});
