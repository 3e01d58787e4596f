import { describe, expect, test } from 'vitest';
import { RequestLimit } from './request-limit.ts';

const ADDRESS = '192.0.2.1';
const room = (id: number) => `/api/v1/rooms/${id}/messages`;

/** The documented limit on a clock that stands still until it is set. */
function limit(isExempt: (address: string) => boolean = () => false) {
  const clock = { us: 0 };
  const requests = new RequestLimit({ perSecond: 20, burst: 40, isExempt, nowUs: () => clock.us });
  const passed = (targets: string[], address = ADDRESS) =>
    targets.filter((target) => requests.take(address, target, true).allowed).length;
  return { clock, requests, passed };
}

const repeat = (target: string, count: number) => new Array<string>(count).fill(target);

describe('20 a second, burst 40, per address and path', () => {
  test('40 of a path pass at once, then 20 more after a second', () => {
    const { clock, passed } = limit();
    expect(passed(repeat('/version', 60))).toBe(40);
    clock.us = 1_000_000;
    expect(passed(repeat('/version', 60))).toBe(20);
  });

  test('paths do not share a count: 50 of them have their full burst', () => {
    const { passed } = limit();
    for (let id = 1; id <= 50; id++) expect(passed(repeat(room(id), 41))).toBe(40);
  });
});

describe('a ceiling per address over all paths: 50 times as many', () => {
  test('2000 at once, then 1000 a second, over any number of paths', () => {
    const { clock, passed } = limit();
    const rooms = Array.from({ length: 5000 }, (_, index) => room(index + 1));
    expect(passed(rooms)).toBe(2000);
    clock.us = 1_000_000;
    expect(passed(rooms)).toBe(1000);
  });

  test('a request that the limit of its path refuses does not count towards it', () => {
    const { passed } = limit();
    passed(repeat('/version', 100_000));
    for (let id = 1; id <= 49; id++) expect(passed(repeat(room(id), 40))).toBe(40);
  });

  test('addresses do not share it; an IPv6 /64 is one address', () => {
    const { passed } = limit();
    const rooms = Array.from({ length: 2000 }, (_, index) => room(index + 1));
    expect(passed(rooms)).toBe(2000);
    expect(passed(rooms, '192.0.2.2')).toBe(2000);
    expect(passed(rooms, '2001:db8::1')).toBe(2000);
    expect(passed(['/version'], '2001:db8::2')).toBe(0);
  });
});

test('an exempt address has no limit; every other has', () => {
  const { passed } = limit((address) => address === ADDRESS);
  expect(passed(repeat('/version', 10_000))).toBe(10_000);
  expect(passed(repeat('/version', 10_000), '192.0.2.2')).toBe(40);
});

test.each([
  [0, 40],
  [20, 0],
])('%d a second and a burst of %d: no limit, no ceiling', (perSecond, burst) => {
  const requests = new RequestLimit({ perSecond, burst, isExempt: () => false, nowUs: () => 0 });
  for (let id = 1; id <= 10_000; id++)
    expect(requests.take(ADDRESS, room(id), true)).toEqual({ allowed: true });
});
