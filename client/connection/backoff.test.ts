import { describe, expect, test } from 'vitest';
import { reconnectDelayMs, retryDelayMs } from './backoff.ts';

const none = () => 0;
const most = () => 0.999_999;

describe('the backoff', () => {
  test('starts at 1.0 s and grows by a factor of 1.5', () => {
    expect([0, 1, 2, 3].map((attempt) => reconnectDelayMs(attempt, none))).toEqual([1000, 1500, 2250, 3375]);
  });

  test('reaches its cap of 15 s by the 10th attempt and stays there', () => {
    expect(reconnectDelayMs(9, none)).toBe(15_000);
    expect(reconnectDelayMs(5000, none)).toBe(15_000);
  });

  test('has up to 10 % of jitter, and never exceeds 15 s', () => {
    expect(reconnectDelayMs(0, most)).toBeCloseTo(1100, 0);
    expect(reconnectDelayMs(6, most)).toBeLessThanOrEqual(11_390.625 * 1.1);
    expect(reconnectDelayMs(7, most)).toBe(15_000);
  });

  test('a minimum that the server names is spread between one and two times its length', () => {
    expect(retryDelayMs(0, 4000, none)).toBe(4000);
    expect(retryDelayMs(0, 4000, most)).toBeCloseTo(8000, 0);
    expect(retryDelayMs(9, 4000, none)).toBe(15_000);
    expect(retryDelayMs(0, undefined, none)).toBe(1000);
    expect(retryDelayMs(0, 0, most)).toBeCloseTo(1100, 0);
  });
});
