import { expect, it } from 'vitest';
import { TroubledRooms } from './troubled-rooms.ts';

it('tries a room later and later, every 30 seconds at most, and logs it once a minute with the count since', () => {
  let now = 0;
  const rooms = new TroubledRooms(() => now);
  const pauses: number[] = [];
  const logged: [now: number, count: number][] = [];
  while (now < 200_000) {
    const count = rooms.fail(7);
    if (count > 0) logged.push([now, count]);
    expect([rooms.isWaiting(7), rooms.isWaiting(8)]).toEqual([true, false]);
    pauses.push(rooms.nextMs);
    now += rooms.nextMs;
    expect(rooms.isWaiting(7)).toBe(false);
  }
  expect(pauses.slice(0, 10)).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  expect(logged[0]).toEqual([0, 1]);
  for (const [index, [at]] of logged.entries())
    expect(at - (logged[index - 1]?.[0] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(60_000);
  expect(logged.map(([, count]) => count)).toEqual([1, 9, 2]);
});

it('a room that has recovered begins anew; where none is in trouble, nothing is to be tried', () => {
  const rooms = new TroubledRooms(() => 0);
  for (let failures = 0; failures < 5; failures++) rooms.fail(7);
  rooms.recover(7);
  expect([rooms.has(7), rooms.nextMs]).toEqual([false, Number.POSITIVE_INFINITY]);
  expect([rooms.fail(7), rooms.nextMs]).toEqual([1, 200]);
});
