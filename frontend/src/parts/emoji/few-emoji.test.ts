import { expect, test } from 'vitest';
import { isFewEmoji } from './few-emoji.ts';

test.each([
  '⭐️',
  '⚡️',
  '☕️',
  '⛄️',
  '👍\uFE0F',
  '🀄️',
  '⭐',
  '👍',
  '👍🏽 ❤️',
  '👨‍👩‍👧‍👦🇩🇪',
  '#️⃣',
  '☝🏽',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  ' 🎉\n',
])('%s is shown larger', (content) => {
  expect(isFewEmoji(content)).toBe(true);
});

test.each(['', ' ', '1', '12 👍', 'ok 👍', '©', '👍'.repeat(10), '👨‍👩‍👧‍👦'.repeat(300)])(
  '%s is not shown larger',
  (content) => {
    expect(isFewEmoji(content)).toBe(false);
  },
);
