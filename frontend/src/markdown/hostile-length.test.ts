import { describe, expect, test } from 'vitest';
import { parseInline } from './inline.ts';
import { parseMarkdown } from './parse.ts';
import { outline } from './test-support.ts';

const LENGTH = 4000;
/** What Markdown begins and ends things with: unclosed, nested and crossed, it is what parsers go back over. */
const PIECES = [
  ...['*', '**', '_', '__', '`', '``', '```\n', '~~', '[', '](', '[a](', '![', '<', '<!--', '<a ', '>', '> '],
  ...[
    '- ',
    '1. ',
    '\n',
    '\n\n',
    ' ',
    '\t',
    '\\',
    '&',
    '(',
    ')',
    'a.',
    'www.',
    'http://',
    '@a',
    '@"',
    '|',
    'x',
  ],
];

describe('the longest message of any two marks, again and again, is parsed before the test ends', () => {
  test.each(PIECES)('%j beside each of the others', (first) => {
    let parsed = 0;
    for (const second of PIECES) {
      const content = (first + second).repeat(LENGTH).slice(0, LENGTH);
      if (outline(parseMarkdown(content, parseInline)) !== undefined) parsed += 1;
    }
    expect(parsed).toBe(PIECES.length);
  });
});
