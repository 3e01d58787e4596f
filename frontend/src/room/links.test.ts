import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitLinks } from './links.ts';

const links = (text: string) =>
  splitLinks(text)
    .filter((part) => part.kind === 'link')
    .map((part) => part.text);

describe('bare web addresses become links', () => {
  test.each([
    ['see https://a.example/b?c=d#e now', ['https://a.example/b?c=d#e']],
    ['http://a.example and HTTPS://B.example', ['http://a.example', 'HTTPS://B.example']],
    ['https://a.example.', ['https://a.example']],
    ['(https://a.example/b)', ['https://a.example/b']],
    ['https://a.example/wiki/B_(c)', ['https://a.example/wiki/B_(c)']],
    ['看 https://a.example/路径，好', ['https://a.example/路径']],
    ['"https://a.example"', ['https://a.example']],
    ['https://a.example?!…', ['https://a.example']],
  ])('%s', (text, expected) => {
    expect(links(text)).toEqual(expected);
  });
});

describe('nothing but http and https', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'xhttps://a.example',
    'https://',
    'http://.,',
    'mailto:a@b.example',
    'www.example.com',
  ])('%s', (text) => {
    expect(links(text)).toEqual([]);
  });
});

test('the parts, joined, are the text again, and every link is a web address', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('http://', 'https://', 'a.b', '(', ')', ' '),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(
        splitLinks(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
      for (const link of links(text)) expect(new URL(link).protocol).toMatch(/^https?:$/);
    }),
  );
});
