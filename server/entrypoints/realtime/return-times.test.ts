import { describe, expect, test } from 'vitest';
import { createMemoryLimits } from '../../platform/limits/limits.ts';
import { RequestLimit } from '../../platform/limits/request-limit.ts';
import { ReturnTimes } from './return-times.ts';

const RATE = { perSecond: 20, burst: 40 };
const take = (times: ReturnTimes, address: string | undefined, count: number) =>
  Array.from({ length: count }, () => times.next(address));

describe('after a planned restart', () => {
  test('500 sockets of one address come back without a refused request', async () => {
    const clock = { us: 0 };
    const requests = new RequestLimit({
      ...RATE,
      isExempt: () => false,
      limits: createMemoryLimits(() => clock.us),
    });
    const times = take(new ReturnTimes(RATE, 500), '192.0.2.1', 500).sort((a, b) => a - b);
    for (const ms of times) {
      clock.us = ms * 1000;
      expect(
        await requests.take({
          address: '192.0.2.1',
          target: '/api/v1/ws/tickets',
          isReal: true,
          isForeign: false,
        }),
      ).toEqual({ allowed: true });
    }
    // (500 - 20) / 20 seconds, and 1.5 s in which all are spread.
    expect(Math.max(...times)).toBeLessThanOrEqual(25_500);
  });

  test('sockets of different addresses do not wait for each other', () => {
    const times = new ReturnTimes(RATE, 500);
    for (let address = 0; address < 500; address++)
      expect(times.next(`192.0.2.${address}`)).toBeLessThanOrEqual(1500);
  });

  test.each([
    ['an exempt address', undefined, RATE],
    ['no limit', '192.0.2.1', { perSecond: 0, burst: 40 }],
  ] as const)('%s: all come back within the spread', (_, address, rate) => {
    expect(Math.max(...take(new ReturnTimes(rate, 500), address, 500))).toBeLessThanOrEqual(1500);
  });

  test('each socket has a time of its own, spread over at most 8 s', () => {
    const times = take(new ReturnTimes(RATE, 100_000), undefined, 1000);
    expect(new Set(times).size).toBeGreaterThan(500);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...times)).toBeLessThanOrEqual(9000);
  });
});
