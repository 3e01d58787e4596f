import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { MAX_DEPTH } from '../../../../protocol/markdown/blocks.ts';
import { parseMarkdown } from '../../../../protocol/markdown/parse.ts';
import { MARKDOWN_CASES } from '../../../../protocol/testing/markdown-cases.ts';
import { depthOf, destinations, visibleText } from '../../../../protocol/testing/outline.ts';
import { MarkdownView } from './MarkdownView.tsx';

const read = (content: string) => parseMarkdown(content);

const MARKS = ['*', '**', '_', '~~', '`', '```', '\n```\n', '\n> ', '>', '\n- ', '\n  - ', '\n1. ', '\n2) '];
const OTHERS = [
  '[',
  ']',
  '(',
  ')',
  '![',
  '<',
  '&lt;',
  '<b>',
  '\\',
  '|',
  '#',
  '\n',
  '\n\n',
  ' ',
  '\r\n',
  '\t',
  'a',
];
const LINKS = [
  '](',
  '[a](https://b.example)',
  'https://c.example',
  'www.d.example',
  'javascript:',
  '<e@f.example>',
];

const piece = (...more: string[]) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    { weight: 5, arbitrary: fc.constantFrom(...MARKS, ...OTHERS, ...more) },
  );
const message = (...more: string[]) => fc.array(piece(...more), { maxLength: 60 }).map((all) => all.join(''));

test('any text renders, only with elements of Markdown and links to web and mail addresses', () => {
  const allowed =
    /^(?:p|strong|em|del|code|pre|a|blockquote|ul|ol|li|div|figure|figcaption|span|button|svg|path|rect)$/;
  fc.assert(
    fc.property(message(...LINKS), (content) => {
      const blocks = read(content);
      const html = renderToStaticMarkup(<MarkdownView blocks={blocks} />);
      for (const [, tag = ''] of html.matchAll(/<([a-z]+)/g)) expect(tag).toMatch(allowed);
      for (const link of destinations(blocks)) expect(new URL(link).protocol).toMatch(/^(?:https?|mailto):$/);
    }),
    { numRuns: 1000 },
  );
});

test('only marks are lost: every other character is visible, in order', () => {
  // Numbers of lists and names of languages are visible, too. Links have their own tests.
  const words = (text: string) => text.replace(/[\s*_~`<>+.()-]/g, '');
  fc.assert(
    fc.property(
      message('https://c.example', 'www.d.example', '<e@f.example>').filter((text) => !text.includes('](')),
      (content) => {
        const shown = visibleText(read(content));
        // A host that looks like another one is shown in ASCII, which has tests of its own.
        fc.pre(!shown.includes('xn--'));
        expect(words(shown)).toBe(words(content));
      },
    ),
    { numRuns: 2000 },
  );
});

test('plain prose is shown exactly', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\p{L}\p{N},;:!? \n]*$/u), (content) => {
      expect(visibleText(read(content))).toBe(content);
    }),
  );
});

describe('rendering any message takes bounded work', () => {
  // Emphasis stops at a depth of 6, around a link and within it.
  const DEEP = MAX_DEPTH + 13;
  test.each([
    ['stars', '*'.repeat(4000)],
    ['brackets', '['.repeat(4000)],
    ['quotes 1000 deep', `${'> '.repeat(1000)}a`],
    ['quotes without a space', `${'>'.repeat(3999)}a`],
    ['lists in one line', `${'- '.repeat(1999)}a`],
    [
      'lists deeper and deeper',
      Array.from({ length: 80 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
    ],
    ['emphasis within emphasis', '*a **b _c '.repeat(400)],
    ['opened and closed', '*_'.repeat(500) + '_*'.repeat(500)],
    ['fences', '```\n'.repeat(1000)],
    ['half links', '[a]('.repeat(1000)],
    ['a label of one long name', `[${'a.'.repeat(1985)}](http://e.ex)`],
    ['a long mail address that is none', `${'a.'.repeat(1999)}@`],
    ['backticks of all lengths', Array.from({ length: 85 }, (_, n) => `${'`'.repeat(n + 1)}a`).join('')],
    ['combining characters', `a${'\u0301'.repeat(3999)}`],
  ])('%s', (_, content) => {
    const blocks = read(content);
    expect(depthOf(blocks)).toBeLessThanOrEqual(DEEP);
    expect(renderToStaticMarkup(<MarkdownView blocks={blocks} />)).not.toBe('');
  });
});

/** The text of an element, in one line, with the numbers of lists, which the browser shows. */
function textOf(html: string): string {
  const numbered = html.replace(/<ol[^>]*data-mark="(\w+)".*?<\/ol>/gs, (list, mark) =>
    list.replace(/<li value="(\d+)">/g, (_, number) => `<li>${number}${mark === 'period' ? '.' : ')'} `),
  );
  const blocks = numbered
    .replace(/<figcaption.*?<\/figcaption>/gs, '')
    .replace(/<\/?(?:p|li|div|ul|ol|blockquote)[^>]*>/g, '\n');
  const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };
  const text = blocks.replace(/<[^>]*>/g, '').replace(/&(#?\w+);/g, (all, name) => entities[name] ?? all);
  return text.replace(/\s+/g, ' ').trim();
}

test.each(MARKDOWN_CASES)('the table of Markdown: a screen shows its words: $text', ({ text, words }) => {
  expect(textOf(renderToStaticMarkup(<MarkdownView blocks={read(text)} />))).toBe(words);
});

test('a link with a title shows where it leads first', () => {
  const html = renderToStaticMarkup(
    <MarkdownView blocks={read('[t](https://e.com "https://bank.example")')} />,
  );
  expect(html).toContain('title="https://e.com\nhttps://bank.example"');
});

test('the tooltip of a link to a host that looks like another has its name in ASCII', () => {
  const html = renderToStaticMarkup(<MarkdownView blocks={read('[t](https://аррӏе.com)')} />);
  expect(html).toContain('title="https://xn--80ak6aa92e.com"');
});

test('a link sends no referrer, and shows where it leads', () => {
  const html = renderToStaticMarkup(<MarkdownView blocks={read('[here](https://a.example/?b&c)')} />);
  expect(html).toContain(
    '<a href="https://a.example/?b&amp;c" title="https://a.example/?b&amp;c" target="_blank" rel="noopener noreferrer nofollow">here</a>',
  );
});

test('the host after a label is part of the link’s text, whatever the direction of the label', () => {
  const html = renderToStaticMarkup(<MarkdownView blocks={read('[bank.example](https://evil.example/)')} />);
  expect(html).toMatch(/>bank\.example <span [^>]*dir="ltr">\(evil\.example\)<\/span><\/a>/);
});

test('lists keep the author’s numbers', () => {
  const html = renderToStaticMarkup(<MarkdownView blocks={read('2. b\n4. d')} />);
  expect(html).toMatch(/<ol.*<li value="2">.*<li value="4">/);
});
