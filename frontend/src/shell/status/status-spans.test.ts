import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emoji } from '../../../../protocol/fields.ts';
import { endOf, PRESETS, SPANS } from './status-spans.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const moment = fc.date({ min: new Date(2024, 0, 1), max: new Date(2034, 0, 1), noInvalidDate: true });

test('a status ends after now, and within eight days', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...SPANS.filter((span) => span !== 'kept')), (now, span) => {
      const end = endOf(span, now);
      if (span === 'never') {
        expect(end).toBe(undefined);
        return;
      }
      const left = Date.parse(end ?? '') - now.getTime();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(8 * DAY_MS);
    }),
  );
});

test('today and this week end at a local midnight: the next one, and that after Sunday', () => {
  fc.assert(
    fc.property(moment, (now) => {
      const [day, week] = [new Date(endOf('today', now) ?? ''), new Date(endOf('week', now) ?? '')];
      for (const end of [day, week]) {
        const times = [end.getHours(), end.getMinutes(), end.getSeconds(), end.getMilliseconds()];
        expect(times).toEqual([0, 0, 0, 0]);
      }
      // A day on which the clock is turned back has 25 hours.
      expect(day.getTime() - now.getTime()).toBeLessThanOrEqual(25 * HOUR_MS);
      expect(week.getDay()).toBe(1);
      expect(week.getTime()).toBeGreaterThanOrEqual(day.getTime());
      expect(week.getTime() - now.getTime()).toBeLessThanOrEqual(7 * DAY_MS + HOUR_MS);
    }),
  );
});

test('hours count from now, and a kept end stays what it was', () => {
  const now = new Date('2026-03-04T10:00:00.000Z');
  expect(endOf('half_hour', now)).toBe('2026-03-04T10:30:00.000Z');
  expect(endOf('hour', now)).toBe('2026-03-04T11:00:00.000Z');
  expect(endOf('four_hours', now)).toBe('2026-03-04T14:00:00.000Z');
  expect(endOf('kept', now, '2026-03-05T09:00:00.000Z')).toBe('2026-03-05T09:00:00.000Z');
  expect(endOf('kept', now)).toBe(undefined);
});

test('the server takes the emoji of each preset', () => {
  for (const preset of PRESETS) expect(emoji.safeParse(preset.emoji).success, preset.name).toBe(true);
});
