import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeUsername, usernameCounter, usernameKeys } from './names.ts';
import { nameKey } from './text.ts';

/** Any string at all, lone surrogates included. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 })
    .map((units) => String.fromCharCode(...units)),
);

function everyAssignedCodePoint(): string[] {
  const all: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!/[\p{Cs}\p{Cn}\p{Co}]/u.test(character)) all.push(character);
  }
  return all;
}

describe('a typed name is found as it is typed, and as it would be stored', () => {
  test.each([
    ['Ann', ['ann']],
    [' ann  lee ', ['ann  lee', 'ann lee']],
    ['admi\u0307n', ['admi\u0307n', 'admin']],
    ['a\u0301\u0301nn', ['\u00e1\u0301nn']],
    ['a\u200bb', []],
    ['x', []],
  ])('%j: %j', (typed, keys) => {
    expect(usernameKeys(typed)).toEqual(keys);
  });

  test('the last key is that of the stored name', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const stored = normalizeUsername(typed);
        return stored === null || usernameKeys(typed).at(-1) === nameKey(stored);
      }),
    );
  });
});

describe('all spellings of a name count as one', () => {
  test.each([
    ['\u0130stanbul', 'i\u0307stanbul'],
    ['\u0130\u0130x', '\u0130i\u0307x'],
    ['I\u0323\u0307x', 'i\u0323\u0307x'],
    ['ann lee', ' ANN  lee'],
  ])('%j and %j', (name, spelling) => {
    expect(usernameKeys(spelling)).toContain(nameKey(name));
    expect(usernameCounter(spelling)).toBe(usernameCounter(name));
  });

  test('whatever is typed, all keys that it is looked up by count as one', () => {
    const typed = fc.array(
      fc.constantFrom(...'aIi\u0130\u0131jJ\u012f\u0268 ', '\u0307', '\u0323', '\u0301'),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(typed, (parts) => {
        const name = `ann${parts.join('')}`;
        for (const key of usernameKeys(name)) expect(usernameCounter(key)).toBe(usernameCounter(name));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('names are unique by NFKC and case fold', () => {
  test.each([
    ['case', 'Ann', 'aNN'],
    ['composed and decomposed', 'am\u00e9lie', 'ame\u0301lie'],
    ['full width', 'ann', '\uff41\uff4e\uff4e'],
    ['a ligature', '\ufb01nn', 'finn'],
    ['sharp s', 'stra\u00dfe', 'STRASSE'],
    ['capital sharp s', 'STRA\u1e9eE', 'stra\u00dfe'],
    ['final sigma', '\u03bf\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3'],
    ['the Kelvin sign', '\u212aelvin', 'kelvin'],
    ['circled letters', '\u24d0\u24dd\u24dd', 'ann'],
    ['a dotted capital I', '\u0130zmir', 'i\u0307zmir'],
    ['Cherokee', '\u13a0\u13a1', '\uab70\uab71'],
  ])('%s: %j and %j are one name', (_, one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.each([
    ['dotless i is not i', '\u0131an', 'ian'],
    ['accents count', 'rene', 'ren\u00e9'],
    ['spaces count', 'ann lee', 'annlee'],
  ])('%s: %j and %j are two names', (_, one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  test('the key of every character is its own key, and both cases of it share it', () => {
    const wrong = everyAssignedCodePoint().filter((character) => {
      const key = nameKey(character);
      // Dotless i has the capital of i but is another letter.
      const upper = character === '\u0131' ? character : character.toUpperCase();
      return nameKey(key) !== key || nameKey(character.toLowerCase()) !== key || nameKey(upper) !== key;
    });
    expect(wrong).toEqual([]);
  });

  test('no spelling of a name escapes its key: case, composition and compatibility form change nothing', () => {
    const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
    // Where folding and composing meet: Greek with its marks, Latin with its marks, and marks alone.
    const delicate = fc.oneof(
      fc.integer({ min: 0x300, max: 0x36f }),
      fc.integer({ min: 0x370, max: 0x3ff }),
      fc.integer({ min: 0x1f00, max: 0x1fff }),
      fc.integer({ min: 0xc0, max: 0x24f }),
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.array(delicate, { maxLength: 6 }).map((codes) => String.fromCodePoint(...codes)),
    );
    fc.assert(
      fc.property(text, (name) => {
        const key = nameKey(name);
        expect(nameKey(key)).toBe(key);
        for (const form of forms) expect(nameKey(name.normalize(form))).toBe(key);
        expect(nameKey(name.toLowerCase())).toBe(key);
      }),
      { numRuns: 2000 },
    );
  });
});
