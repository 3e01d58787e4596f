import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';

test.each([
  ['Watch `error_rate` and `crash_free`, please.', 'Watch error_rate and crash_free, please.'],
  ['_never_ **ever** ~~again~~', 'never ever again'],
  ['Look:\n```css\n.composer { bottom: 0 }\n```\nDone.', 'Look: Done.'],
  ['```\nonly code\n```', 'only code'],
  ['> quoted\n\n- a\n- b', 'quoted a b'],
  ['3 > 2, and a-b', '3 > 2, and a-b'],
])('the excerpt of %j is %j', (content, expected) => {
  expect(excerptOf(content)).toBe(expected);
});

test('an excerpt is one line, and never longer than its text', () => {
  fc.assert(
    fc.property(fc.string(), (content) => {
      const excerpt = excerptOf(content);
      expect(excerpt).not.toContain('\n');
      expect(excerpt.length).toBeLessThanOrEqual(content.length);
    }),
  );
});
