import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from './excerpt.ts';
import { MARKDOWN_CASES, MENTION } from './testing/markdown-cases.ts';

describe('an excerpt', () => {
  it.each([
    ['hello', 'hello'],
    ['two\n\nlines   and\ttabs', 'two lines and tabs'],
    ['**bold**, __strong__, ~~gone~~ and `code`', 'bold, strong, gone and code'],
    ['# Title\n- one\n- two\n> quoted', '# Title one two quoted'],
    ['```ts\nconst a = 1;\n```', 'const a = 1;'],
    ['see [the page](https://example.org/a_b) and ![a cat](cat.png)', 'see the page and ![a cat](cat.png)'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['@"Ann Lee" and @bo: "look"', '@Ann Lee and @bo: "look"'],
    ['```', '```'],
    ['\uFEFF', '…'],
    [' '.repeat(1000), '…'],
    ['', ''],
  ])('is one line without marks: %j', (content, excerpt) => {
    expect(excerptOf(content)).toBe(excerpt);
  });

  it.each([...MARKDOWN_CASES, MENTION])('has the words that the message shows: $text', ({ text, words }) => {
    expect(excerptOf(text)).toBe(words);
  });

  it('is not cut in half where the beginning of the message ends', () => {
    expect(excerptOf(`${' '.repeat(999)}\u{1F98A}`)).toBe('…');
  });

  it('has 120 characters at most, and cuts none in half', () => {
    expect(excerptOf('a'.repeat(120))).toBe('a'.repeat(120));
    expect(excerptOf('a'.repeat(121))).toBe(`${'a'.repeat(119)}…`);
    expect(excerptOf('\u{1F98A}'.repeat(121))).toBe(`${'\u{1F98A}'.repeat(119)}…`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 1000 }), (content) => {
        const excerpt = excerptOf(content);
        return [...excerpt].length <= 120 && excerpt.isWellFormed() && !/[\n\t]/.test(excerpt);
      }),
    );
  });
});
