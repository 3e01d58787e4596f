import { describe, expect, test } from 'vitest';
import { outline } from '../testing/outline.ts';
import { parseMarkdown } from './parse.ts';

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
      if (outline(parseMarkdown(content)) !== undefined) parsed += 1;
    }
    expect(parsed).toBe(PIECES.length);
  });
});

/** Patterns and methods of strings that the parser may run over a text again. */
describe('a text four times as long has at most four times as many steps', () => {
  const HOSTILE = [
    ...[
      '*_',
      '*a ',
      '_a*b',
      '**a',
      '~~*',
      '[a](',
      '[',
      '[[',
      '![](',
      '](<',
      '](a "',
      "](a '",
      '](a (',
      '`a``',
    ],
    ...[
      'https://%',
      'www.%',
      '[https://b.c](https://d.e)',
      '[[](https://b.c)',
      '<a@',
      '@"',
      '- ',
      '> ',
      '\n\t',
    ],
    ...['](https://a.b/(', "https://a.b/'a", '(\\', '*`a` ', 'a.', '[a](b\\'],
  ];

  /** Every call of `RegExp.exec` and `String.charAt`, with the characters that it moved over. */
  function stepsFor(content: string): number {
    let steps = 0;
    const { exec } = RegExp.prototype;
    const { charAt } = String.prototype;
    const counted = function (this: RegExp, text: string) {
      const from = this.lastIndex;
      const found = exec.call(this, text);
      steps += 1 + (found === null ? 0 : Math.max(0, found.index + found[0].length - from));
      return found;
    };
    RegExp.prototype.exec = counted;
    String.prototype.charAt = function (at: number) {
      steps += 1;
      return charAt.call(this, at);
    };
    try {
      parseMarkdown(content);
    } finally {
      RegExp.prototype.exec = exec;
      String.prototype.charAt = charAt;
    }
    return steps;
  }

  test.each(HOSTILE)('%j again and again', (piece) => {
    const repeated = (length: number) => piece.repeat(length).slice(0, length);
    expect(stepsFor(repeated(16_000))).toBeLessThanOrEqual(4.5 * stepsFor(repeated(4000)) + 1000);
  });
});
