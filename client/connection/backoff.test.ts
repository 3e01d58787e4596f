import { describe, expect, test } from 'vitest';
import { reconnectDelayMs } from './backoff.ts';

const none = () => 0;
const most = () => 0.999_999;

describe('reconnect delays', () => {
  test('the first is 1.0 s, each further one 1.5 times the one before', () => {
    expect([0, 1, 2, 3].map((attempt) => reconnectDelayMs(attempt, none))).toEqual([1000, 1500, 2250, 3375]);
  });

  test('the cap of 15 s is reached by the 10th and kept for ever', () => {
    expect(reconnectDelayMs(9, none)).toBe(15_000);
    expect(reconnectDelayMs(5000, none)).toBe(15_000);
  });

  test('jitter adds up to 10 % and never goes above 15 s', () => {
    expect(reconnectDelayMs(0, most)).toBeCloseTo(1100, 0);
    expect(reconnectDelayMs(6, most)).toBeLessThanOrEqual(11_390.625 * 1.1);
    expect(reconnectDelayMs(7, most)).toBe(15_000);
  });
});
