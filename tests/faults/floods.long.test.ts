import { expect, test } from 'vitest';
import { flood } from './floods.ts';
import { putOnTrial } from './trial.ts';

test('20 flooding sockets at a time, each flood for 20 s: memory at most 60 MiB more', async () => {
  await putOnTrial({
    promise: 'G4',
    name: 'floods',
    async run() {
      const finding = await flood({ sockets: 20, probes: 20, floodMs: 20_000, quietMs: 10_000 });
      for (const [name, { rssMiB }] of Object.entries(finding.floods)) {
        expect.soft({ name, swells: rssMiB > 60 }).toEqual({ name, swells: false });
      }
      return finding;
    },
  });
});
