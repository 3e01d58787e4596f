import { expect, it } from 'vitest';
import { presenceWindowMs, TypingBudget } from './large-room.ts';

it('joins and leaves are collected for 250 ms, above 500 users for half a millisecond each, and 5 s at most', () => {
  expect([21, 500, 1000, 4000, 10_000, 100_000].map(presenceWindowMs)).toEqual([
    250, 250, 500, 2000, 5000, 5000,
  ]);
});

/** The changes of typing that are told in ten seconds in which there are 100 a second. */
function toldOf(seats: number): number {
  let now = 0;
  let told = 0;
  const budget = new TypingBudget(() => now);
  for (; now < 10_000_000; now += 10_000) if (budget.tells({ userId: 1, isTyping: true }, seats)) told++;
  return told;
}

it('typing sends no more than 20 000 frames at once and 5000 a second to the seats of a room', () => {
  for (const seats of [200, 1000, 3000, 10_000]) {
    const frames = toldOf(seats) * seats;
    expect(frames).toBeLessThanOrEqual(70_000);
    expect(frames).toBeGreaterThan(70_000 - 2 * seats);
  }
});

it('in a room of up to 50 seats every change of typing is told, and in the largest some are', () => {
  expect(toldOf(50)).toBe(1000);
  expect(toldOf(100_000)).toBeGreaterThan(1);
});

it('the end of typing is told when its beginning was, however small the budget, and otherwise not', () => {
  const budget = new TypingBudget(() => 0);
  const tells = (userId: number, isTyping: boolean) => budget.tells({ userId, isTyping }, 20_000);
  expect([tells(1, true), tells(2, true)]).toEqual([true, false]);
  expect([tells(2, false), tells(1, false), tells(1, false)]).toEqual([false, true, false]);
});
