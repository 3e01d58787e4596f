import { describe, expect, test } from 'vitest';
import { faultsOf } from './checker.ts';
import { PLANTED, runWith } from './planted-bugs.ts';

describe('the harness finds', () => {
  test('a resume that goes live a moment too late', async () => {
    expect(faultsOf(await runWith(PLANTED.resumeGoesLiveLate)).length).toBeGreaterThan(0);
  });

  test('a cid that is not recognised as a repeat', async () => {
    const report = await runWith(PLANTED.cidIsForgotten);
    expect(report.duplicated.length).toBeGreaterThan(0);
    expect(report.unexpected.length).toBeGreaterThan(0);
  });
});
