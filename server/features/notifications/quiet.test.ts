import { describe, expect, it } from 'vitest';
import { isQuiet } from './quiet.ts';

/** A Friday. */
const at = (time: string) => Date.parse(`2026-01-02T${time}:00Z`);
const FRIDAY = 5;

describe('isQuiet', () => {
  it('until a time', () => {
    const quiet = { until: '2026-01-02T14:00:00Z' };
    expect([at('13:59'), at('14:00')].map((now) => isQuiet(quiet, null, now))).toEqual([true, false]);
    expect(isQuiet(undefined, null, at('12:00'))).toBe(false);
  });

  it.each([
    ['12:00', '14:00', { '11:59': false, '12:00': true, '13:59': true, '14:00': false }],
    // The night after Friday, and that before it.
    ['22:00', '07:00', { '21:59': false, '22:00': true, '23:59': true, '06:59': false }],
  ] as const)('in weekly hours, from %s to %s', (from, to, expected) => {
    const quiet = { hours: [{ day: FRIDAY, from, to }] };
    const found = Object.keys(expected).map((time) => [time, isQuiet(quiet, 'UTC', at(time))]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('an end that is not after the start is on the next day', () => {
    const quiet = { hours: [{ day: FRIDAY - 1, from: '22:00', to: '07:00' }] };
    expect(isQuiet(quiet, 'UTC', at('06:59'))).toBe(true);
    expect(isQuiet(quiet, 'UTC', at('07:00'))).toBe(false);
  });

  it("the hours are those of the user's time zone", () => {
    const quiet = { hours: [{ day: FRIDAY, from: '09:00', to: '10:00' }] };
    expect(isQuiet(quiet, 'Asia/Tokyo', at('00:30'))).toBe(true);
    expect(isQuiet(quiet, 'Asia/Tokyo', at('09:30'))).toBe(false);
    expect(isQuiet(quiet, null, at('09:30'))).toBe(true);
  });
});
