import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizePassword } from './names.ts';
import { codePointLength, isCid, isMessageContent, isStoredContent, parseId } from './text.ts';

const G_CLEF = '\u{1D11E}';

/** Any string at all, lone surrogates included. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 })
    .map((units) => String.fromCharCode(...units)),
);

describe('codePointLength counts Unicode code points', () => {
  test('an astral character is one, whatever its UTF-16 length', () => {
    expect(codePointLength(G_CLEF.repeat(64))).toBe(64);
  });

  test('it equals the number of code points that the string iterates over', () => {
    fc.assert(fc.property(anyText, (text) => codePointLength(text) === [...text].length));
  });
});

describe('passwords are 8-128 code points, hashed as the NFC UTF-8 bytes, never trimmed', () => {
  test.each([
    ['white space at the ends', '  secret  ', '  secret  '],
    ['eight spaces', ' '.repeat(8), ' '.repeat(8)],
    ['a decomposed letter', 'passe\u0301word', 'pass\u00e9word'],
    ['128 astral characters', G_CLEF.repeat(128), G_CLEF.repeat(128)],
    [
      'zero-width and control characters, which nobody sees anyway',
      'a\u200b\u0007bcdefg',
      'a\u200b\u0007bcdefg',
    ],
  ])('%s', (_, raw, normal) => {
    expect(normalizePassword(raw)).toBe(normal);
  });

  test.each([
    ['7 letters', 'a'.repeat(7)],
    ['7 astral characters', G_CLEF.repeat(7)],
    ['129 astral characters', G_CLEF.repeat(129)],
    ['a lone surrogate', 'password\ud800'],
    ['a NUL', 'pass\0word'],
    ['a million letters', 'a'.repeat(1_000_000)],
  ])('%s is refused', (_, raw) => {
    expect(normalizePassword(raw)).toBeNull();
  });
});

/** What is seen of nobody. */
const INVISIBLE = [
  ...'\u200B\uFEFF\u2800\u3164\uFFA0\u200D\u2060\u00AD\u200F\u180E\u034F\uFE0F\u{E0020}\u0007\uFFF9',
  ...'\u200C\u200E\u202E\u2061\u2066\u115F\u1160\u17B4\u180B\u{1D173}\u{16FE4}\u{13430}\u{E0100}\u001B\u0085',
];

describe('message content is 1-4000 code points, one of them not white space, no NUL and no lone surrogates', () => {
  test.each([
    ['one letter', 'a'],
    ['white space around', '\n a \t'],
    ['4000 letters', 'a'.repeat(4000)],
    ['4000 astral characters', G_CLEF.repeat(4000)],
    ['control characters', '\u0001\u001b[31m'],
    ['markup', '<script>alert(1)</script>'],
  ])('%s is allowed', (_, text) => {
    expect(isMessageContent(text)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['white space alone', ' \t\r\n\u00a0\u2003\u3000\u2028'],
    ['all invisible characters at once', INVISIBLE.join('')],
    ['invisible characters and white space', '\u200B \n\u2800'],
    ['4001 letters', 'a'.repeat(4001)],
    ['4001 astral characters', G_CLEF.repeat(4001)],
    ['a NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\udc00a'],
    ['surrogates in the wrong order', 'a\udc00\ud83d'],
  ])('%s is refused', (_, text) => {
    expect(isMessageContent(text)).toBe(false);
  });

  test.each(INVISIBLE)('%j alone is refused, and is kept within a text', (character) => {
    expect(isMessageContent(character)).toBe(false);
    expect(isMessageContent(`${character}a${character}`)).toBe(true);
  });

  test.each(['\uE000', '\u0600', '\u{110BD}', '\u0301', '\uFFFD', '\u{1FAFF}', '\u{E01F0}'])(
    '%j is seen, or may be with a newer font',
    (character) => expect(isMessageContent(character)).toBe(!/\p{DI}/u.test(character)),
  );

  test('what earlier versions have stored stays valid in an export', () => {
    expect([isStoredContent('\u200B'), isStoredContent(' '), isStoredContent('')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('what is allowed survives a JSON round trip unchanged', () => {
    fc.assert(
      fc.property(anyText, (text) => !isMessageContent(text) || JSON.parse(JSON.stringify(text)) === text),
    );
  });
});

describe('a cid is 1-64 characters', () => {
  test.each(['a', 'a'.repeat(64), G_CLEF.repeat(64), ' '])('%j is one', (text) => {
    expect(isCid(text)).toBe(true);
  });

  test.each(['', 'a'.repeat(65), G_CLEF.repeat(65), 'a\0', '\ud800'])('%j is not', (text) => {
    expect(isCid(text)).toBe(false);
  });
});

describe('ids are positive integers up to 2^53-1 in plain decimal digits', () => {
  test.each([
    ['1', 1],
    ['42', 42],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%j is %d', (text, id) => {
    expect(parseId(text)).toBe(id);
  });

  test.each([
    ...[
      '',
      '0',
      '-1',
      '+1',
      '1.5',
      '1e0',
      '0x10',
      ' 1',
      '1 ',
      '1abc',
      '1_000',
      '1,000',
      '1n',
      'NaN',
      'Infinity',
    ],
    ...[
      '9007199254740992',
      '9007199254740993',
      '99999999999999999',
      '1'.repeat(400),
      '\u0661',
      '\uff11',
      '1\n',
    ],
  ])('%j is none', (text) => {
    expect(parseId(text)).toBeNull();
  });

  test('every positive safe integer comes back from its own digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => parseId(String(id)) === id),
    );
  });

  test('no other text is an id', () => {
    fc.assert(fc.property(anyText, (text) => parseId(text) === null || /^[0-9]+$/.test(text)));
  });
});
