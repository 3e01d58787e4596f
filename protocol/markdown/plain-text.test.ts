/** Where a mention counts: beside the outline of a message. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanMentions } from '../mentions.ts';
import type { Inline } from './inline-tree.ts';
import { type Markdown, parseMarkdown } from './parse.ts';

/** All text of a message that is neither code, nor in a link, nor quoted. */
function plainText(blocks: Markdown): string {
  return blocks
    .map((block) => {
      if (block.kind === 'text') return block.parts.map(plainPart).join('');
      return block.kind === 'list' ? block.items.map((item) => plainText(item.blocks)).join('\n') : '\n';
    })
    .join('\n');
}

function plainPart(part: Inline): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
    case 'link':
      return ' ';
    default:
      return part.children.map(plainPart).join('');
  }
}

/** The names that are mentioned, without the marks that may belong to them. */
const shortest = (keys: readonly string[]) => keys.toSorted((one, other) => one.length - other.length)[0];
const mentioned = (content: string) => [...new Set(scanMentions(content).names.map(shortest))];

const PIECES = [
  '`',
  '``',
  '```',
  '```\n',
  '~~~\n',
  '[',
  ']',
  '](',
  '](https://a.example)',
  '](<https://a.example>)',
  '(',
  ')',
  '![',
  '<',
  '>',
  '<https://a.example/`>',
  'https://a.example/',
  'www.a.example/',
  '*',
  '**',
  '_',
  '~~',
  '\\',
  '\\`',
  '\n',
  '\n\n',
  '\n> ',
  '> ',
  '\n- ',
  '- ',
  '\n  ',
  '\n1. ',
  ' ',
  ' ',
  'a',
  'word ',
  '"',
  ' "title")',
  ':',
  '/',
  '，',
];
const pieces = fc.array(
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...PIECES) }, fc.constant('@'), fc.constant(' @')),
  {
    maxLength: 40,
  },
);

/** The pieces as a text in which every mention has a name of its own: `@u0x`, `@u1x`. */
function withNames(parts: readonly string[]): string {
  return parts.map((part, index) => (part.endsWith('@') ? `${part}u${index}x` : part)).join('');
}

describe('what the client shows as code, as a link or as a quote mentions nobody', () => {
  test('in any text', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const content = withNames(parts);
        const plain = plainText(parseMarkdown(content));
        for (const [longest = ''] of scanMentions(content).names) {
          const [name] = /^u\d+x/.exec(longest) ?? ['no name'];
          expect(plain, JSON.stringify(content)).toContain(`@${name}`);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    '`@ann`',
    '``a ` @ann``',
    '```\n@ann\n```',
    '~~~\n@ann',
    '- a\n  ```\n  @ann\n  ```',
    '> @ann said',
    '> a\n> @ann',
    '[@ann](https://a.example)',
    '[words](https://a.example/@ann)',
    'https://a.example/@ann',
    'www.a.example/@ann',
    '<https://a.example/@ann>',
    '[a `]` @ann](https://a.example)',
    '[a [b] @ann](https://a.example)',
  ])('%j', (content) => expect(mentioned(content)).toEqual([]));
});

describe('what stands beside them mentions', () => {
  test.each([
    'use `a` @ann and `b`',
    'see [doc](https://a.example) @ann and [other](https://b.example)',
    '> quoted\n@ann no',
    '```\ncode\n```\n@ann',
    'https://a.example @ann',
    'https://a.example，@ann 看',
    '**@ann** and _@ann_ and ~~@ann~~',
    '- @ann',
    '1. a\n2. (@ann)',
    '[ ] @ann',
    'snake_case `a_b` @ann *x* `c*d`',
    '> a\n\n@ann',
  ])('%j', (content) => expect(mentioned(content)).toEqual(['ann']));
});
