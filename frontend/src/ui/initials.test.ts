import { expect, test } from 'vitest';
import { personHue } from './hue.ts';
import { initials, tileLetter } from './initials.ts';

test.each([
  ['ann', 'A', ''],
  ['ann lee', 'A', 'L'],
  ['bo.baxter', 'B', 'B'],
  ['José da Silva', 'J', 'S'],
  ['李小龍', '李', ''],
  ['👩‍👩‍👧 fam', '👩‍👩‍👧', 'F'],
  ['__', '_', ''],
])('the initials of %s are %s and %s', (name, first, last) => {
  expect(initials(name)).toEqual({ first, last });
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
])('on the door of the room %s stands %s', (name, expected) => {
  expect(tileLetter(name)).toBe(expected);
});

test('neighbouring ids get hues that are far apart', () => {
  const apart = Math.abs(personHue(1) - personHue(2));
  expect(Math.min(apart, 360 - apart)).toBeGreaterThan(90);
});
