import { expect, it } from 'vitest';
import { SharedHead } from './shared-head.ts';

/** A log that grows, whose reads end when the test says so. */
function growing() {
  const log = { head: 1, reads: 0 };
  const open: (() => void)[] = [];
  const shared = new SharedHead(async () => {
    const { head } = log;
    log.reads++;
    await new Promise<void>((resolve) => open.push(resolve));
    return head;
  });
  /** Ends the read under way, or the next one once it has begun. */
  const endRead = async () => {
    while (open.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    open.shift()?.();
  };
  return { log, shared, endRead };
}

it('callers at the same time share one read', async () => {
  const { log, shared, endRead } = growing();
  const heads = Promise.all(Array.from({ length: 1000 }, () => shared.read()));
  await endRead();
  expect(new Set(await heads)).toEqual(new Set([1]));
  expect(log.reads).toBe(1);
});

it('a read that is under way is not shared with later callers, as it does not see what they know of', async () => {
  const { log, shared, endRead } = growing();
  const first = shared.read();
  while (log.reads === 0) await Promise.resolve();
  log.head = 2;
  const later = Promise.all([shared.read(), shared.read()]);
  await endRead();
  expect(await first).toBe(1);
  await endRead();
  expect(await later).toEqual([2, 2]);
  expect(log.reads).toBe(2);
});

it('callers that ask again and again cause at most ten reads a second', async () => {
  const { log, shared, endRead } = growing();
  const startedAt = performance.now();
  for (let round = 0; round < 4; round++) {
    const heads = [shared.read(), shared.read()];
    await endRead();
    await Promise.all(heads);
  }
  expect(log.reads).toBe(4);
  // A timer may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThan(3 * 99);
});

it('a read that fails is repeated for the next caller', async () => {
  let isAway = true;
  const shared = new SharedHead(async () => {
    if (isAway) throw new Error('away');
    return 7;
  });
  await expect(shared.read()).rejects.toThrow('away');
  isAway = false;
  expect(await shared.read()).toBe(7);
});
