import { describe, expect, test } from 'vitest';
import { attackAndCompare, attackPatched } from './leaks.ts';
import { PLANTED_LEAKS } from './planted-leaks.ts';
import { putOnTrial } from './trial.ts';

test('20 000 connections that die at random moments of random requests leave nothing behind', async () => {
  await putOnTrial({
    promise: 'G4',
    name: 'leaks',
    async run(seed) {
      const finding = await attackAndCompare({ connections: 20_000, atOnce: 100, seed });
      expect(finding.faults).toEqual([]);
      return finding;
    },
  });
});

describe('the trial finds', () => {
  test('requests of a connection that are handled all at once: their files stay open', async () => {
    expect(await attackPatched(PLANTED_LEAKS.allAtOnce)).toMatch(/files: /);
  });

  test('requests that are handled after their connection has ended: their files stay open', async () => {
    // About one connection of 700 gets this far.
    expect(await attackPatched(PLANTED_LEAKS.afterTheEnd, 8000)).toMatch(/files: /);
  });

  test('connections that a stop does not cut: it ends with 1', async () => {
    expect(await attackPatched(PLANTED_LEAKS.stopCutsRequestsAlone)).toMatch(/SIGTERM ended it with 1/);
  });
});
