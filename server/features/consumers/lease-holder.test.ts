import { expect, it } from 'vitest';
import { LeaseHolder } from './lease-holder.ts';

function holder(answers: boolean[], { isShared = true, renewMs = 0 } = {}) {
  const asked: string[] = [];
  const lease = new LeaseHolder({
    cursors: {
      async lease({ now, until }) {
        asked.push(`lease ${until - now}`);
        return answers.shift() ?? false;
      },
      async release() {
        asked.push('release');
      },
    },
    ...{ lease: { heldMs: 1000, renewMs }, now: () => 5, isShared },
  });
  return { lease, asked };
}

it('says once that the lease was taken, and once that it was lost', async () => {
  const { lease } = holder([false, true, true, false, false, true]);
  const states = [];
  for (let count = 0; count < 6; count++) states.push(await lease.keep());
  expect(states).toEqual(['not held', 'taken', 'held', 'lost', 'not held', 'taken']);
});

it('a process that shares the database asks once in a span; one that is alone asks until it has the lease', async () => {
  const shared = holder([true], { renewMs: 3_600_000 });
  expect([await shared.lease.keep(), await shared.lease.keep()]).toEqual(['taken', 'held']);
  expect(shared.asked).toEqual(['lease 1000']);
  const alone = holder([false, true], { isShared: false });
  const states = [await alone.lease.keep(), await alone.lease.keep(), await alone.lease.keep()];
  expect([states, alone.asked.length]).toEqual([['not held', 'taken', 'held'], 2]);
});

it('a lease that a cursor has disproved is asked for anew at once, and begins anew', async () => {
  const { lease, asked } = holder([true, true], { renewMs: 3_600_000 });
  await lease.keep();
  lease.lose();
  expect([lease.isHeld, await lease.keep(), asked.length]).toEqual([false, 'taken', 2]);
});

it('one that is given back is not held', async () => {
  const { lease, asked } = holder([true]);
  await lease.keep();
  await lease.release();
  expect([lease.isHeld, asked.at(-1)]).toEqual([false, 'release']);
});
