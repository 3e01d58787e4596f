import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CutOff } from './cut-off.ts';

const SECOND = 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function cutOff() {
  const database = { isHealthy: true, isSeenByOthers: true };
  const counts = { moves: 0 };
  const subject = new CutOff({
    isDatabaseHealthy: async () => database.isHealthy,
    doOthersReachIt: () => database.isSeenByOthers,
    move: () => counts.moves++,
  });
  subject.start();
  return { subject, database, counts };
}

it('a process that alone is cut off from the database for 10 s sends its users away, once', async () => {
  const { subject, database, counts } = cutOff();
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect([subject.isHealthy, counts.moves]).toEqual([true, 0]);
  database.isHealthy = false;
  await vi.advanceTimersByTimeAsync(9 * SECOND);
  expect([subject.isHealthy, counts.moves]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(counts.moves).toBe(1);
  database.isHealthy = true;
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  database.isHealthy = false;
  await vi.advanceTimersByTimeAsync(12 * SECOND);
  expect(counts.moves).toBe(2);
});

it('when no process reaches the database, the users stay; they move when another one does', async () => {
  const { database, counts } = cutOff();
  Object.assign(database, { isHealthy: false, isSeenByOthers: false });
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(counts.moves).toBe(0);
  database.isSeenByOthers = true;
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(counts.moves).toBe(1);
});

it('an outage that ends within 10 s moves nobody', async () => {
  const { database, counts } = cutOff();
  for (let outage = 0; outage < 5; outage++) {
    database.isHealthy = false;
    await vi.advanceTimersByTimeAsync(8 * SECOND);
    database.isHealthy = true;
    await vi.advanceTimersByTimeAsync(2 * SECOND);
  }
  expect(counts.moves).toBe(0);
});
