import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayAndTime } from './day-and-time.ts';
import { en } from './en.ts';
import { listTime, shortDay, untilTime } from './time.ts';
import { zh } from './zh.ts';

/** Local time: months count from 0. */
const at = (...parts: [year: number, month: number, day: number, hour?: number, minute?: number]) =>
  new Date(...parts).getTime();
const NOW = at(2026, 10, 27, 12, 30);

beforeEach(() => {
  vi.stubGlobal('navigator', { language: 'en-GB' });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a short day', () => {
  test('has no year within this one', () => {
    expect(shortDay(en, at(2026, 0, 1), NOW)).toBe('1 Jan');
    expect(shortDay(en, at(2026, 11, 31, 23, 59), NOW)).toBe('31 Dec');
    expect(shortDay(zh, NOW, NOW)).toBe('11月27日');
  });

  test('has the year of another one, before and after', () => {
    expect(shortDay(en, at(2025, 11, 31, 23, 59), NOW)).toBe('31 Dec 2025');
    expect(shortDay(en, at(2027, 0, 1), NOW)).toBe('1 Jan 2027');
    expect(shortDay(zh, at(2027, 0, 1), NOW)).toBe('2027年1月1日');
  });
});

describe('what ends', () => {
  test('today is told by its time; midnight belongs to the day before it', () => {
    expect(untilTime(en, at(2026, 10, 27, 18, 5), NOW)).toBe('18:05');
    expect(untilTime(en, at(2026, 10, 28), NOW)).toBe('27 Nov');
    expect(untilTime(en, at(2026, 10, 28, 0, 1), NOW)).toBe('28 Nov');
  });
});

describe('in a list', () => {
  test('today is a time, a day of the last week its name, any other its date', () => {
    expect(listTime(en, at(2026, 10, 27, 10, 5), NOW)).toBe('10:05');
    expect(listTime(en, at(2026, 10, 26, 23, 59), NOW)).toBe('Thu');
    expect(listTime(en, at(2026, 10, 21), NOW)).toBe('Sat');
    expect(listTime(en, at(2026, 10, 20), NOW)).toBe('20 Nov');
  });
});

describe('a day and its time', () => {
  test('have no seconds, and the year only of another one', () => {
    expect(dayAndTime(en, at(2026, 10, 19, 10, 23), NOW)).toBe('19 Nov 10:23');
    expect(dayAndTime(zh, at(2025, 10, 19, 10, 23), NOW)).toBe('2025年11月19日 10:23');
  });
});
