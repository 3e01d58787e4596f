import { expect, test } from 'vitest';
import { avatarHue, initials } from './avatar.ts';

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

test('neighbouring ids get hues that are far apart', () => {
  const apart = Math.abs(avatarHue(1) - avatarHue(2));
  expect(Math.min(apart, 360 - apart)).toBeGreaterThan(90);
});
