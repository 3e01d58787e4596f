import { expect, it } from 'vitest';
import { CrossingTime } from './crossing-time.ts';

function stage() {
  let now = 1000;
  const crossing = new CrossingTime(() => now);
  return { crossing, pass: (ms: number) => (now += ms) };
}

it('the time is 50 ms while nothing comes later than half of it', () => {
  const { crossing } = stage();
  crossing.observe(24);
  expect(crossing.ms).toBe(50);
});

it('the time is twice the longest delay that was observed, and one second at most', () => {
  const { crossing } = stage();
  crossing.observe(100);
  crossing.observe(80);
  expect(crossing.ms).toBe(200);
  crossing.observe(5000);
  expect(crossing.ms).toBe(1000);
});

it('the time falls back: what is above 50 ms is halved every five seconds', () => {
  const { crossing, pass } = stage();
  crossing.observe(225);
  pass(5000);
  expect(crossing.ms).toBe(250);
  pass(60_000);
  expect(crossing.ms).toBeCloseTo(50, 0);
});
