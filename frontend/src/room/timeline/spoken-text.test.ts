import { expect, test } from 'vitest';
import { MARKDOWN_CASES, MENTION } from '../../../../protocol/testing/markdown-cases.ts';
import { spokenText } from './spoken-text.ts';

test.each([...MARKDOWN_CASES, MENTION])(
  'the table of Markdown: a screen reader hears the words: $text',
  ({ text, words }) => {
    expect(spokenText(text).replace(/\s+/g, ' ').trim()).toBe(words);
  },
);

test('300 characters are read out, and none of them is cut in half', () => {
  expect(spokenText('\u{1F98A}'.repeat(400))).toBe('\u{1F98A}'.repeat(300));
});
