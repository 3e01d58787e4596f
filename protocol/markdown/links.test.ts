import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksOf } from './links.ts';
import { parseAddress } from './url.ts';

describe('the links of a text that are looked at', () => {
  it.each([
    ['nothing to see', []],
    ['see https://a.example/b?c=d#e.', ['https://a.example/b?c=d#e']],
    ['www.a.example leads to https', ['https://www.a.example']],
    [
      '[a page](http://a.example/ "title") and <https://b.example/>',
      ['http://a.example/', 'https://b.example/'],
    ],
    ['**https://a.example/** ~~https://b.example/~~', ['https://a.example/', 'https://b.example/']],
    ['- https://a.example/\n- https://b.example/', ['https://a.example/', 'https://b.example/']],
    ['看https://a.example/b。然后', ['https://a.example/b']],
  ])('%j: %j', (content, links) => expect(linksOf(content)).toEqual(links));

  it('are the first three, none of them twice, wherever on the page they lead', () => {
    const content =
      'https://a.example/#1 https://a.example/#2 https://b.example https://c.example https://d.example';
    expect(linksOf(content)).toEqual(['https://a.example/#1', 'https://b.example', 'https://c.example']);
  });

  it.each([
    '`https://a.example/`',
    '```\nhttps://a.example/\n```',
    '> https://a.example/',
    'mailto:a@a.example',
    'ftp://a.example/',
    'javascript:alert(1)',
    'https://user:password@a.example/',
    'http://',
    `https://a.example/${'x'.repeat(2048)}`,
  ])('are none of code, quotes, other schemes, names of users, or what is too long: %j', (content) =>
    expect(linksOf(content)).toEqual([]),
  );

  it('are web addresses that a parser takes, whatever the text', () => {
    const parts = fc.constantFrom(
      'https://',
      'http://',
      'www.',
      'a.example',
      '/',
      '#',
      ' ',
      '\n',
      '`',
      '> ',
      '[',
      '](',
      ')',
      '@',
      '\u202e',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string()), { maxLength: 30 }), (pieces) => {
        const links = linksOf(pieces.join(''));
        expect(links.length).toBeLessThanOrEqual(3);
        for (const link of links) expect(parseAddress(link)?.protocol).toMatch(/^https?:$/);
      }),
    );
  });
});
