import { describe, expect, test } from 'vitest';
import { whyNoProc } from '../support/linux.ts';
import { attackAndCompare, attackPatched } from './leaks.ts';
import { PLANTED_LEAKS } from './planted-leaks.ts';
import { putOnTrial } from './trial.ts';

describe.skipIf(whyNoProc() !== undefined)('connections that die', { timeout: 240_000 }, () => {
  test('whenever and however a connection dies, nothing of it is left, and the process lives', async () => {
    await putOnTrial({
      promise: 'G4',
      name: 'leaks, short',
      async run(seed) {
        const finding = await attackAndCompare({ connections: 300, atOnce: 20, seed });
        expect(finding.faults).toEqual([]);
        return finding;
      },
    });
  });

  test('the trial finds a connection without an error listener', async () => {
    expect(await attackPatched(PLANTED_LEAKS.noErrorListener)).toMatch(/the process ended/);
  });
});
