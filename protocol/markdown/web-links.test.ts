import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './url.ts';
import { isSafeDestination, leadingAddress } from './web-links.ts';

describe('a web address ends where the sentence continues', () => {
  test.each([
    ['https://a.example/b?c=d#e now', 'https://a.example/b?c=d#e'],
    ['HTTPS://B.example', 'HTTPS://B.example'],
    ['https://a.example.', 'https://a.example'],
    ['https://a.example/b)', 'https://a.example/b'],
    ['https://a.example/b).', 'https://a.example/b'],
    ['https://a.example/wiki/B_(c)', 'https://a.example/wiki/B_(c)'],
    ['https://a.example/路径，好', 'https://a.example/路径'],
    ['https://a.example"', 'https://a.example'],
    ['https://a.example?!…', 'https://a.example'],
    ['www.a.example/b, too', 'www.a.example/b'],
    ['https://evil.example\\@bank.example', 'https://evil.example'],
    ['https://a.example/\u202egnp.exe', 'https://a.example/'],
  ])('%s', (text, address) => {
    expect(leadingAddress(text).link?.typed).toBe(address);
  });
});

test('an address that begins with www. leads to https', () => {
  expect(leadingAddress('www.a.example').link?.href).toBe('https://www.a.example');
});

describe('not an address', () => {
  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'http://.,',
    'www.',
    'www.a',
    'a www.a.b',
    'https://bank.example@evil.example',
  ])('%s', (text) => expect(leadingAddress(text).link).toBeNull());
});

describe('destinations that never become a link', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'java\u200bscript:alert(1)',
    'data:text/html,x',
    'vbscript:msgbox(1)',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'intent://a#Intent;scheme=http;end',
    '//a.example',
    '/rooms/1',
    '#top',
    'https:',
    'https://a.example\\@b.example',
    'https://bank.example@evil.example/',
    'https://bank.example:x@evil.example/',
    'mailto:',
  ])('%j', (destination) => expect(isSafeDestination(destination)).toBe(false));
});

test.each(['https://a.example', 'HTTP://a.example/b', 'mailto:ann@a.example'])('%s may be a link', (to) => {
  expect(isSafeDestination(to)).toBe(true);
});

test('every allowed destination is a web or mail address to the browser’s own parser', () => {
  const scheme = fc.constantFrom(
    'javascript:',
    'data:',
    'https:',
    'http:',
    'mailto:',
    'HTTPS:',
    '\tjavascript:',
  );
  fc.assert(
    fc.property(fc.tuple(scheme, fc.string({ unit: 'binary' })), ([start, rest]) => {
      if (isSafeDestination(start + rest))
        expect(parseAddress(start + rest)?.protocol).toMatch(/^(?:https?|mailto):$/);
    }),
  );
});
