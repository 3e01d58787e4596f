import { describe, expect, test } from 'vitest';
import { createMemoryLimits } from './limits.ts';
import { RequestLimit } from './request-limit.ts';

const ADDRESS = '192.0.2.1';
const room = (id: number) => `/api/v1/rooms/${id}/messages`;

/** The documented limit on a clock that stands still until it is set. */
function limit(isExempt: (address: string) => boolean = () => false) {
  const clock = { us: 0 };
  const limits = createMemoryLimits(() => clock.us);
  const requests = new RequestLimit({ perSecond: 20, burst: 40, isExempt, limits });
  const passed = async (targets: string[], address = ADDRESS, isForeign = false) => {
    let count = 0;
    for (const target of targets) {
      const counted = { address, target, isReal: true, isForeign };
      if ((await requests.take(counted)).allowed) count++;
    }
    return count;
  };
  return { clock, requests, passed };
}

const repeat = (target: string, count: number) => new Array<string>(count).fill(target);

describe('20 a second, burst 40, per address and path', () => {
  test('what foreign pages send has its own count, and takes nothing from the visitor', async () => {
    const { passed } = limit();
    expect(await passed(repeat('/version', 60), ADDRESS, true)).toBe(40);
    const rooms = Array.from({ length: 3000 }, (_, id) => room(id));
    expect(await passed(rooms, ADDRESS, true)).toBeLessThanOrEqual(2000);
    expect(await passed(repeat('/version', 60))).toBe(40);
    expect(await passed(rooms.slice(0, 1900))).toBe(1900);
  });

  test('40 of a path pass at once, then 20 more after a second', async () => {
    const { clock, passed } = limit();
    expect(await passed(repeat('/version', 60))).toBe(40);
    clock.us = 1_000_000;
    expect(await passed(repeat('/version', 60))).toBe(20);
  });

  test('paths do not share a count: 50 of them have their full burst', async () => {
    const { passed } = limit();
    for (let id = 1; id <= 50; id++) expect(await passed(repeat(room(id), 41))).toBe(40);
  });
});

describe('a ceiling per address over all paths: 50 times as many', () => {
  test('2000 at once, then 1000 a second, over any number of paths', async () => {
    const { clock, passed } = limit();
    const rooms = Array.from({ length: 5000 }, (_, index) => room(index + 1));
    expect(await passed(rooms)).toBe(2000);
    clock.us = 1_000_000;
    expect(await passed(rooms)).toBe(1000);
  });

  test('a request that the limit of its path refuses does not count towards it', async () => {
    const { passed } = limit();
    await passed(repeat('/version', 100_000));
    for (let id = 1; id <= 49; id++) expect(await passed(repeat(room(id), 40))).toBe(40);
  });

  test('addresses do not share it; an IPv6 /64 is one address', async () => {
    const { passed } = limit();
    const rooms = Array.from({ length: 2000 }, (_, index) => room(index + 1));
    expect(await passed(rooms)).toBe(2000);
    expect(await passed(rooms, '192.0.2.2')).toBe(2000);
    expect(await passed(rooms, '2001:db8::1')).toBe(2000);
    expect(await passed(['/version'], '2001:db8::2')).toBe(0);
  });
});

test('an exempt address has no limit; every other has', async () => {
  const { passed } = limit((address) => address === ADDRESS);
  expect(await passed(repeat('/version', 10_000))).toBe(10_000);
  expect(await passed(repeat('/version', 10_000), '192.0.2.2')).toBe(40);
});

test.each([
  [0, 40],
  [20, 0],
])('%d a second and a burst of %d: no limit, no ceiling', async (perSecond, burst) => {
  const requests = new RequestLimit({
    perSecond,
    burst,
    isExempt: () => false,
    limits: createMemoryLimits(() => 0),
  });
  for (let id = 1; id <= 10_000; id++)
    expect(
      await requests.take({ address: ADDRESS, target: room(id), isReal: true, isForeign: false }),
    ).toEqual({ allowed: true });
});
