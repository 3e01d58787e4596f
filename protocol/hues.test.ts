import { expect, test } from 'vitest';
import { hueOf, ROOM_HUE_NAMES, ROOM_HUES } from './hues.ts';

test('the names are those of the hues, in their order', () => {
  expect(ROOM_HUE_NAMES).toEqual(Object.keys(ROOM_HUES));
});

test('no hue is in the part of the circle that is the accent’s, and any two are 25 degrees apart', () => {
  const degrees = Object.values(ROOM_HUES).sort((one, other) => one - other);
  for (const [place, hue] of degrees.entries()) {
    expect(hue < 25 || hue > 75, String(hue)).toBe(true);
    const next = degrees[place + 1] ?? (degrees[0] ?? 0) + 360;
    expect(next - hue, String(hue)).toBeGreaterThanOrEqual(25);
  }
});

test('a room has the hue that was chosen', () => {
  expect(hueOf({ id: 7, hue: 'teal' })).toBe('teal');
});

test('a room without a choice has a hue by its id, and ids in a row have all of them', () => {
  expect(hueOf({ id: 7, hue: null })).toBe('rose');
  expect(hueOf({ id: 8 })).toBe('gold');
  const row = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => hueOf({ id, hue: null }));
  expect(new Set(row)).toEqual(new Set(ROOM_HUE_NAMES));
  expect(hueOf({ id: Number.MAX_SAFE_INTEGER, hue: null })).toBe('rose');
});

test('a hue that only a newer server knows counts as no choice', () => {
  for (const hue of ['crimson', '', 'constructor', '__proto__']) expect(hueOf({ id: 9, hue })).toBe('leaf');
});
