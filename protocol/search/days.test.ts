import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTimeZone, spanOf } from './days.ts';

const NOW = Date.parse('2026-11-28T23:30:00Z');

function told(written: string, timeZone = 'UTC', now = NOW): [string, string] | null {
  const span = spanOf(written, timeZone, now);
  return span && [new Date(span.from).toISOString(), new Date(span.to).toISOString()];
}

test('a day, a month and a year are what they are in the zone', () => {
  expect(told('2026-11-28')).toEqual(['2026-11-28T00:00:00.000Z', '2026-11-29T00:00:00.000Z']);
  expect(told('2026-2')).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
  expect(told('2024')).toEqual(['2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z']);
  expect(told('2026-11-28', 'Asia/Kolkata')).toEqual([
    '2026-11-27T18:30:00.000Z',
    '2026-11-28T18:30:00.000Z',
  ]);
});

test('a day on which clocks change has 23 or 25 hours', () => {
  expect(told('2026-03-29', 'Europe/Berlin')).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  expect(told('2026-11-01', 'America/New_York')).toEqual([
    '2026-11-01T04:00:00.000Z',
    '2026-11-02T05:00:00.000Z',
  ]);
});

test('today and yesterday are those of the zone', () => {
  expect(told('Today')).toEqual(['2026-11-28T00:00:00.000Z', '2026-11-29T00:00:00.000Z']);
  expect(told('today', 'Asia/Tokyo')).toEqual(['2026-11-28T15:00:00.000Z', '2026-11-29T15:00:00.000Z']);
  expect(told('yesterday', 'Asia/Tokyo')).toEqual(['2026-11-27T15:00:00.000Z', '2026-11-28T15:00:00.000Z']);
  expect(told('yesterday', 'UTC', Date.parse('2026-03-01T10:00:00Z'))?.[0]).toBe('2026-02-28T00:00:00.000Z');
});

test('what is no day is none', () => {
  for (const written of [
    '',
    'soon',
    '2026-13',
    '2026-02-30',
    '1969',
    '26-1-1',
    '2026-',
    '2026-1-1-1',
    '20266',
  ])
    expect(spanOf(written, 'UTC', NOW)).toBe(null);
});

test('only zones that there are count', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', '', '../etc'].map(isTimeZone)).toEqual([
    ...[true, true, false, false, false],
  ]);
});

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Kathmandu',
];

test('each day begins where the day before it ends, and has the noon of the zone', () => {
  const days = fc.date({ min: new Date('1980-01-02'), max: new Date('2037-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
      const written = (at: number) => new Date(at).toISOString().slice(0, 10);
      const [first, next] = [written(date.getTime()), written(date.getTime() + 86_400_000)];
      const [one, two] = [spanOf(first, zone, NOW), spanOf(next, zone, NOW)];
      expect(one?.to).toBe(two?.from);
      const shown = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
      // Samoa has left out a day.
      if (one && one.to > one.from) expect(shown.format(one.from)).toBe(first);
    }),
    { numRuns: 300 },
  );
});
