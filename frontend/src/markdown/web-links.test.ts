import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSafeDestination, leadingAddress, pretendsAnotherHost } from './web-links.ts';

describe('a web address ends where the sentence around it goes on', () => {
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
    expect(leadingAddress(text)?.text).toBe(address);
  });
});

test('what begins with www. leads to https', () => {
  expect(leadingAddress('www.a.example')?.href).toBe('https://www.a.example');
});

describe('no address', () => {
  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'http://.,',
    'www.',
    'www.a',
    'a www.a.b',
    'https://bank.example@evil.example',
  ])('%s', (text) => expect(leadingAddress(text)).toBeNull());
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

test('a text that shows one host never leads to another', () => {
  expect(pretendsAnotherHost('https://bank.example', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('www.bank.example/login', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('**https://bank.example**', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('~~`https://bank.example`~~', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('see https://bank.example', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('\u200bhttps://bank.example', 'https://evil.example')).toBe(true);
  expect(pretendsAnotherHost('https://www.bank.example', 'https://bank.example/login')).toBe(false);
  expect(pretendsAnotherHost('https://bank.example', 'https://bank.example/login')).toBe(false);
  expect(pretendsAnotherHost('the bank', 'https://bank.example')).toBe(false);
});

describe('a text that shows a bare host never leads to another', () => {
  test.each([
    ['bank.example', 'https://evil.example'],
    ['**Bank.Example**', 'https://evil.example'],
    ['log in at bank.example/login', 'https://evil.example'],
    ['www.bank.example or bank.example', 'https://evil.example/bank.example'],
    ['bank\u200b.example', 'https://evil.example'],
    ['ｂａｎｋ．ｅｘａｍｐｌｅ', 'https://evil.example'],
    ['bank。example', 'https://evil.example'],
    ['банк.рф', 'https://evil.example'],
    ['163.com', 'https://evil.example'],
    ['bank.example', 'https://bank.example.evil.example'],
    ['bank.example', 'mailto:ann@evil.example'],
    ['ann@bank.example', 'mailto:ann@evil.example'],
    ['ann@bank.example', 'https://evil.example'],
    ['https://evil.example of bank.example', 'https://evil.example'],
  ])('[%s](%s)', (text, destination) => expect(pretendsAnotherHost(text, destination)).toBe(true));
});

describe('a text that shows no host, or the one that it leads to, is a link', () => {
  test.each([
    ['bank.example', 'https://bank.example/login'],
    ['Bank.example', 'https://www.bank.example'],
    ['ann@bank.example', 'mailto:ann@Bank.example?subject=hello'],
    ['https://bank.example/index.html', 'https://bank.example/index.html'],
    ['https://bank.example/a.b.example', 'https://bank.example/a.b.example'],
    ['parse.ts', 'https://code.example/parse.ts'],
    ['Node.js', 'https://node.example'],
    ['README.md', 'https://code.example/readme'],
    ['src/main.rs', 'https://code.example/main.rs'],
    ['the plan.docx', 'https://files.example/1'],
    ['version 2.4', 'https://a.example'],
    ['e.g. this', 'https://a.example'],
    ['wait...what', 'https://a.example'],
    ['1.概述', 'https://a.example'],
    ['好的。谢谢', 'https://a.example'],
  ])('[%s](%s)', (text, destination) => expect(pretendsAnotherHost(text, destination)).toBe(false));
});

test('every destination that may be a link is of the web or of mail, by the browser’s own parser', () => {
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
        expect(new URL(start + rest).protocol).toMatch(/^(?:https?|mailto):$/);
    }),
  );
});
