import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Entering } from './entering.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A bus whose rooms are entered when the test says so. */
function slowBus() {
  const replies: (() => void)[] = [];
  const entering = new Entering({
    enter: () => new Promise((resolve) => replies.push(resolve)),
    crossingMs: 50,
  });
  const opened: number[] = [];
  const open = (roomId: number) => void entering.enter(roomId).then(() => opened.push(roomId));
  return { replies, opened, open };
}

it('a room is opened when the bus brings its events', async () => {
  const { replies, opened, open } = slowBus();
  open(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(opened).toEqual([]);
  replies[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(opened).toEqual([1]);
});

it('a bus that does not respond holds up a room for half a second, and then no other one', async () => {
  const { replies, opened, open } = slowBus();
  open(1);
  await vi.advanceTimersByTimeAsync(510);
  expect(opened).toEqual([1]);
  open(2);
  await vi.advanceTimersByTimeAsync(10);
  expect(opened).toEqual([1, 2]);
  for (const reply of replies) reply();
  await vi.advanceTimersByTimeAsync(0);
  open(3);
  await vi.advanceTimersByTimeAsync(400);
  expect(opened).toEqual([1, 2]);
});
