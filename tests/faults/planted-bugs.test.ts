/** A harness that never fails proves nothing, so it must find each of these bugs, planted in a copy of the server. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './checker.ts';
import { PLANTED, removeWith, runWith } from './planted-bugs.ts';

describe('the harness finds', { timeout: 480_000 }, () => {
  test('nothing in a copy without a bug', async () => {
    expect(faultsOf(await runWith([]))).toEqual([]);
  });

  test('an ack before the commit', async () => {
    expect((await runWith(PLANTED.ackBeforeCommit)).lost.length).toBeGreaterThan(0);
  });

  test('a resume that skips one event', async () => {
    let report = await runWith(PLANTED.resumeSkipsOne);
    // It shows when somebody resumes who has missed something, which two kills do not always bring about.
    for (let more = 4; more > 0 && report.outOfOrder.length === 0; more--)
      report = await runWith(PLANTED.resumeSkipsOne);
    expect(report.outOfOrder.length).toBeGreaterThan(0);
    expect(report.lost.length).toBeGreaterThan(0);
  });

  test('a removal that seats miss', async () => {
    expect((await removeWith(PLANTED.removalIsMissed)).length).toBeGreaterThan(0);
  });
});
