import { expect, test } from 'vitest';
import { hueOf } from './hue.ts';
import { initials, tileLetter } from './initials.ts';

test.each([
  ['ann', 'A'],
  ['ann lee', 'AL'],
  ['bo.baxter', 'BB'],
  ['José da Silva', 'JS'],
  ['李小龍', '李'],
  ['👩‍👩‍👧 fam', '👩‍👩‍👧F'],
  ['__', '_'],
])('the initials of %s are %s', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test.each([
  ['general', 'G'],
  ['#general', 'G'],
  ['Release 2.4', 'R'],
  ['2.4 release', '2'],
  ['上海办公室', '上'],
  ['— ops —', 'O'],
  ['🚀 launch', '🚀'],
  ['👩‍👩‍👧 fam', '👩‍👩‍👧'],
  ['épicerie', 'É'],
  ['***', '*'],
])('on the tile of the room %s stands %s', (name, expected) => {
  expect(tileLetter(name)).toBe(expected);
});

test('neighbouring ids get hues that are far apart', () => {
  const apart = Math.abs(hueOf(1) - hueOf(2));
  expect(Math.min(apart, 360 - apart)).toBeGreaterThan(90);
});
