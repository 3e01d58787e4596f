import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownText } from './shown-text.ts';

it.each([
  ['  two\n\twords ', 'two words'],
  ['a\u202eb\u2066c\u200bd', 'abcd'],
  ['\u200b\u2800\u3164', ''],
  ['\u200d\u200d', ''],
  ['\u{E0041}\ufff9', ''],
  ['👩\u200d🚀', '👩\u200d🚀'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
])('%j is shown as %j', (raw, shown) => expect(shownText(raw, 100)).toBe(shown));

it('a text that is too long is cut between characters, and says so', () => {
  expect(shownText('😀'.repeat(20), 10)).toBe(`${'😀'.repeat(9)}…`);
  expect(shownText('12345678 0', 9)).toBe('12345678…');
});

it('any text becomes one line within its bound, and what is shown once stays as it is', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\u200d',
      '\u200c',
      '\ufe0f',
      '\u202e',
      'e',
      '\u0301',
      '👩',
      ' ',
      '\n',
      '\ud800',
      '\u{E0041}',
      '한',
      '\u1100',
    ),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 2, max: 30 }), (parts, max) => {
      const shown = shownText(parts.join(''), max);
      expect([...shown].length).toBeLessThanOrEqual(max);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).not.toMatch(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Zl}\p{Zp}]/u);
      expect(shownText(shown, max)).toBe(shown);
    }),
    { numRuns: 2000 },
  );
});
