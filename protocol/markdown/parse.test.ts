import { describe, expect, test } from 'vitest';
import { MARKDOWN_CASES } from '../testing/markdown-cases.ts';
import { outline } from '../testing/outline.ts';
import { parseMarkdown } from './parse.ts';

const shown = (content: string) => outline(parseMarkdown(content));

test.each(MARKDOWN_CASES)('the table of Markdown: $text', ({ text, outline: expected }) => {
  expect(shown(text)).toBe(expected);
});

describe('inline markup', () => {
  test.each([
    ['**bold** and __bold__', '<strong>bold</strong> and <strong>bold</strong>'],
    ['*italic* and _italic_', '<em>italic</em> and <em>italic</em>'],
    ['***both***', '<em><strong>both</strong></em>'],
    ['~~struck~~', '<del>struck</del>'],
    ['`code *as it is*`', '<code>code *as it is*</code>'],
    ['`` a`b ``', '<code>a`b</code>'],
    ['```one line```', '<code>one line</code>'],
    ['[words](https://a.example/b)', '<a https://a.example/b>words</a>'],
    ['[**words**](https://a.example)', '<a https://a.example><strong>words</strong></a>'],
    ['[write](mailto:ann@a.example)', '<a mailto:ann@a.example>write</a>'],
    ['<https://a.example>', '<a https://a.example>https://a.example</a>'],
    ['see www.a.example.', 'see <a https://www.a.example>www.a.example</a>.'],
    ['**https://a.example**', '<strong><a https://a.example>https://a.example</a></strong>'],
    ['https://a.example/b_c_d*e*', '<a https://a.example/b_c_d*e>https://a.example/b_c_d*e</a>*'],
    ['中文*强调*中文', '中文<em>强调</em>中文'],
    ['one\ntwo  \nthree', 'one\ntwo  \nthree'],
  ])('%s', (content, expected) => expect(shown(content)).toBe(expected));
});

describe('text that is not markup is shown as typed', () => {
  test.each([
    '# heading',
    'heading\n===',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '![image](https://a.example/b.png)',
    '<b>bold</b> &amp; &lt;',
    '<!-- comment -->',
    '[x]: https',
    '[x][y] [x] []',
    '---',
    '* * *',
    '- - -',
    '    indented',
    '   spaces   within',
    '¯\\_(ツ)_/¯',
    'C:\\*.txt and \\*stars\\*',
    '2*3*4 and 2**3**4',
    'snake_case_name',
    '~5 minutes, ~10 at most',
    '>:( and >_<',
    '-',
    '*',
    '1.',
    '>',
    '```\n```',
    '- ',
    '007. bond',
    '[empty]()',
    '[](https',
    '[x](javascript:alert(1))',
    '[x](<javascript:alert(1)>)',
    '[x](jav&#x61;script:alert(1))',
    '<javascript:alert(1)>',
    'xhttp://a.example',
    'a\n\n\n\nb',
    '\n  a\n',
  ])('%j', (content) => expect(shown(content)).toBe(content));
});

describe('a link hides nothing', () => {
  test('one that shows another host is shown as typed', () => {
    expect(shown('[https://bank.example](https://evil.example)')).toBe(
      '[https://bank.example](<a https://evil.example>https://evil.example</a>)',
    );
  });

  test('the name of another host is followed by the real host', () => {
    expect(shown('[bank.**example**](https://evil.example/a)')).toBe(
      '<a https://evil.example/a>bank.<strong>example</strong> (evil.example)</a>',
    );
    expect(shown('https://a.example/，b.example <https://a.example/，b.example>')).not.toContain('(');
  });

  test('it always has a visible label', () => {
    expect(shown('[\u200b](https://b.example)')).toContain('[\u200b](');
  });

  test('there are no links in a link', () => {
    expect(shown('[a [b](https://b.example) c](https://c.example)')).toBe(
      '[a <a https://b.example>b</a> c](<a https://c.example>https://c.example</a>)',
    );
  });
});

describe('quotes', () => {
  test.each([
    ['> said\n> more', '<quote>said\nmore</quote>'],
    ['>said', '<quote>said</quote>'],
    ['> said\nanswer', '<quote>said</quote>answer'],
    ['before\n\n> said\n\nafter', 'before<quote>said</quote>after'],
    ['> > inner\n> outer', '<quote><quote>inner</quote>outer</quote>'],
    ['> a\n>\n> b', '<quote>a\n\nb</quote>'],
    ['> - a\n> - b', '<quote><ul><li>a</li><li>b</li></ul></quote>'],
  ])('%j', (content, expected) => expect(shown(content)).toBe(expected));
});

describe('lists', () => {
  test.each([
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['* a\n* b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2. b', '<ol><li 1>a</li><li 2>b</li></ol>'],
    ['3. a\n5. b', '<ol><li 3>a</li><li 5>b</li></ol>'],
    ['1) a', '<ol )><li 1>a</li></ol>'],
    ['- a\n  - b\n    - c\n- d', '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>'],
    ['1. a\n   - b', '<ol><li 1>a<ul><li>b</li></ul></li></ol>'],
    ['1. a\n  - b', '<ol><li 1>a<ul><li>b</li></ul></li></ol>'],
    ['- a\n\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['- a\n  goes on', '<ul><li>a\ngoes on</li></ul>'],
    ['- a\nanswer', '<ul><li>a</li></ul>answer'],
    ['bring:\n- cake', 'bring<ul><li>cake</li></ul>'.replace('bring', 'bring:')],
    ['It was in\n1986. A good year', 'It was in\n1986. A good year'],
    ['- a\n  ```\n  code\n  ```', '<ul><li>a<pre>code</pre></li></ul>'],
    ['- [ ] a', '<ul><li>[ ] a</li></ul>'],
  ])('%j', (content, expected) => expect(shown(content)).toBe(expected));
});

describe('fenced code', () => {
  test.each([
    ['```\na\n\n  b *c*\n```', '<pre>a\n\n  b *c*</pre>'],
    ['```ts\na\n```', '<pre ts>a</pre>'],
    ['~~~c++\na\n```\n~~~', '<pre c++>a\n```</pre>'],
    ['````\n```\na\n```\n````', '<pre>```\na\n```</pre>'],
    ['before\n```\na\n```\nafter', 'before<pre>a</pre>after'],
    ['```\nnever closed', '<pre>never closed</pre>'],
    ['> ```\n> a\n> ```', '<quote><pre>a</pre></quote>'],
  ])('%j', (content, expected) => expect(shown(content)).toBe(expected));
});
