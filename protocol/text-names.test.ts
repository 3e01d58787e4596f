import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizePassword, normalizeRoomName, normalizeUsername } from './names.ts';

const G_CLEF = '\u{1D11E}';

/** Any string at all, lone surrogates included. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 })
    .map((units) => String.fromCharCode(...units)),
);

describe('usernames are NFC, trimmed, 2-64 Unicode code points', () => {
  test.each([
    ['two letters', 'ab', 'ab'],
    ['white space around', '  ann\t', 'ann'],
    ['a decomposed letter', 'ame\u0301lie', 'am\u00e9lie'],
    ['a space inside', 'ann lee', 'ann lee'],
    ['64 astral letters', G_CLEF.repeat(64), G_CLEF.repeat(64)],
    ['Chinese', '小明', '小明'],
    ['markup, which the renderer escapes', '<b>ann</b>', '<b>ann</b>'],
    ['SQL', "'; DROP TABLE users; --", "'; DROP TABLE users; --"],
  ])('%s is allowed', (_, raw, normal) => {
    expect(normalizeUsername(raw)).toBe(normal);
  });

  test.each([
    ['one letter', 'a'],
    ['one letter and white space', ' a '],
    ['a pair of code units that is one code point', G_CLEF],
    ['two code points that compose to one', 'e\u0301'],
    ['65 letters', 'a'.repeat(65)],
    ['65 astral letters', G_CLEF.repeat(65)],
    ['nothing', ''],
    ['white space alone', ' '.repeat(10)],
    ['a million letters', 'a'.repeat(1_000_000)],
  ])('%s is not', (_, raw) => {
    expect(normalizeUsername(raw)).toBeNull();
  });

  test('a decomposed name is measured in its composed form', () => {
    expect(normalizeUsername('e\u0301'.repeat(64))).toBe('\u00e9'.repeat(64));
  });
});

describe('no control, format, bidi, zero-width, unassigned or otherwise invisible characters', () => {
  test.each([
    ['NUL', '\0'],
    ['a line feed', '\n'],
    ['escape', '\u001b'],
    ['delete', '\u007f'],
    ['next line', '\u0085'],
    ['a soft hyphen', '\u00ad'],
    ['a combining grapheme joiner', '\u034f'],
    ['an Arabic letter mark', '\u061c'],
    ['a Hangul filler', '\u3164'],
    ['a half-width Hangul filler', '\uffa0'],
    ['a Mongolian vowel separator', '\u180e'],
    ['a no-break space', '\u00a0'],
    ['an ideographic space', '\u3000'],
    ['a zero-width space', '\u200b'],
    ['a zero-width non-joiner', '\u200c'],
    ['a zero-width joiner', '\u200d'],
    ['a left-to-right mark', '\u200e'],
    ['a right-to-left override', '\u202e'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['a word joiner', '\u2060'],
    ['an invisible times', '\u2062'],
    ['a right-to-left isolate', '\u2067'],
    ['a blank braille pattern', '\u2800'],
    ['a byte order mark', '\ufeff'],
    ['a variation selector', '\ufe0f'],
    ['an interlinear annotation', '\ufff9'],
    ['a tag letter', '\u{e0061}'],
    ['a private-use character', '\ue000'],
    ['an unassigned code point', '\u{e0fff}'],
    ['a noncharacter', '\uffff'],
    ['a lone high surrogate', '\ud800'],
    ['a lone low surrogate', '\udc00'],
  ])('%s inside a name is refused', (_, character) => {
    expect(normalizeUsername(`an${character}n`)).toBeNull();
    expect(normalizeRoomName(`an${character}n`)).toBeNull();
  });

  test.each([
    ['a byte order mark', '\ufeff'],
    ['a zero-width space', '\u200b'],
    ['a right-to-left override', '\u202e'],
    ['a word joiner', '\u2060'],
  ])('%s at either end of a name is refused too, not trimmed: it is no white space', (_, character) => {
    expect(normalizeUsername(`${character}ann`)).toBeNull();
    expect(normalizeUsername(`ann${character}`)).toBeNull();
  });

  test('whatever a name is made of, the normal form holds nothing of the kind', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const name = normalizeUsername(raw);
        return name === null || !/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(name);
      }),
    );
  });
});

describe('names that look the same are spelled the same', () => {
  test.each([
    ['two spaces', 'ann  lee', 'ann lee'],
    ['many spaces', `ann${' '.repeat(50)}lee`, 'ann lee'],
    ['a dot above an i', 'admi\u0307n', 'admin'],
    ['several dots above an i', 'admi\u0307\u0307\u0307n', 'admin'],
    ['a dot above a j', 'j\u0307ohn', 'john'],
    ['a dot above an i with a dot below', 'admi\u0323\u0307n', 'adm\u1ecbn'],
    ['a dot above a Cyrillic i', '\u0456\u0307\u0432\u0430\u043d', '\u0456\u0432\u0430\u043d'],
  ])('%s: %j is stored as %j', (_, raw, normal) => {
    expect(normalizeUsername(raw)).toBe(normal);
    expect(normalizeRoomName(raw)).toBe(normal);
  });

  test.each([
    ['a dot that is seen', 'a\u0307nn', '\u0227nn'],
    ['a dot above an accent', 'i\u0301\u0307a', '\u00ed\u0307a'],
    ['a dotted capital I', '\u0130zmir', '\u0130zmir'],
  ])('%s stays', (_, raw, normal) => {
    expect(normalizeUsername(raw)).toBe(normal);
  });

  test('what is one code point without its doubles is too short', () => {
    expect(normalizeUsername('i\u0307')).toBeNull();
  });
});

describe('a letter carries at most four marks, no mark twice, and no mark stands alone (TS 39 section 5.4)', () => {
  const MARKS = '\u0300\u0301\u0302\u0303\u0304\u0305\u0306';

  test.each([
    ['four marks', `q${MARKS.slice(0, 4)}n`],
    ['Vietnamese', 'Nguy\u1ec5n'],
    ['Hebrew with points', '\u05e9\u05c1\u05bc\u05b8\u05dc\u05d5\u05b9\u05dd'],
    ['Thai', '\u0e17\u0e35\u0e48\u0e23\u0e31\u0e01'],
    ['Devanagari', '\u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f'],
    ['Tibetan', '\u0f56\u0f66\u0f92\u0fb2\u0f74\u0f56\u0f66'],
  ])('%s is allowed', (_, raw) => {
    expect(normalizeUsername(raw)).not.toBeNull();
  });

  test.each([
    ['63 marks', `a${'\u0301'.repeat(63)}`],
    ['five different marks', `q${MARKS.slice(0, 5)}n`],
    ['marks that hide in a composed letter', `\u1ed7${MARKS.slice(0, 3)}n`],
    ['the same mark twice', 'ann\u0323\u0323'],
    ['the same enclosing mark twice', 'ann\u20dd\u20dd'],
    ['marks alone', '\u0301\u0302'],
    ['a mark first', '\u0301ann'],
    ['a mark after a space', 'ann \u0301lee'],
    ['enclosing marks alone', '\u20dd\u20de'],
    ['spacing marks alone', '\u093e\u093f'],
  ])('%s: refused', (_, raw) => {
    expect(normalizeUsername(raw)).toBeNull();
    expect(normalizeRoomName(raw)).toBeNull();
  });

  test('no normal form breaks the rule, whatever the marks are piled on', () => {
    const piles = fc.array(
      fc.constantFrom(...'aiI\u0130j \u0456\u05e9', ...MARKS, '\u0307', '\u0323', '\u20dd'),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(piles, (parts) => {
        const name = normalizeUsername(parts.join(''));
        fc.pre(name !== null);
        expect(name?.normalize('NFD')).not.toMatch(/(?:^| )\p{M}|[\p{Mn}\p{Me}]{5}|[ij]\u0323?\u0307| {2}/u);
        expect(normalizeUsername(name ?? '')).toBe(name);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('room names likewise, 1-128 code points', () => {
  test.each([
    ['a', 'a'],
    [' a ', 'a'],
    ['a'.repeat(128), 'a'.repeat(128)],
    [G_CLEF.repeat(128), G_CLEF.repeat(128)],
  ])('%j is allowed', (raw, normal) => {
    expect(normalizeRoomName(raw)).toBe(normal);
  });

  test.each(['', '  ', 'a'.repeat(129), G_CLEF.repeat(129)])('%j is not', (raw) => {
    expect(normalizeRoomName(raw)).toBeNull();
  });
});

describe('a normal form is stable', () => {
  test.each([
    ['username', normalizeUsername],
    ['room name', normalizeRoomName],
    ['password', normalizePassword],
  ])('%s: normalising twice changes nothing', (_, normalize) => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const once = normalize(raw);
        if (once !== null) expect(normalize(once)).toBe(once);
      }),
    );
  });
});
