import { expect, test } from 'vitest';
import { isInCode } from './composer-keys.ts';

test.each([
  ['```|', true],
  ['look:\n```ts\ncode|', true],
  ['~~~\n```|', true],
  ['```\ncode\n```|', false],
  ['```code```|', false],
  ['a|', false],
])('%j: the caret stands in code: %s', (shown, expected) => {
  expect(isInCode(shown.replace('|', ''), shown.indexOf('|'))).toBe(expected);
});
