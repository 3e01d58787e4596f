import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameKey } from '../text.ts';
import { isFoundBy, searchForm, searchKeys, searchStart } from './names.ts';

describe('a name is found by what people type for it', () => {
  test.each([
    ['Jürgen Müller', ['jurgen', 'muller', 'jurgen mu', 'jürgen', 'JÜRGEN MÜ', 'Ju\u0308rgen', '  mull  ']],
    ['Nguyễn Văn', ['nguyen', 'van', 'nguyen v', 'nguyễn']],
    ['Łukasz', ['lukasz', 'łuk', 'ŁUKASZ']],
    ['Ελένη', ['ελενη', 'ΕΛΕΝΗ', 'ελένη']],
    ['Алёна Андрей', ['алена', 'андреи', 'алёна']],
    ['O’Brien', ["o'brien", 'o’brien', 'obrien', 'brien', 'oʼb']],
    ["d'Arcy", ['darcy', 'arcy', "d'a"]],
    ['Zoë Quinn', ['@zoe', 'zoe q', '@quinn']],
    ['mary-jane', ['mary j', 'mary-j', 'mary_jane', 'jane', 'mary.jane']],
    ['ann_lee', ['ann lee', 'lee', 'ann-lee']],
    ['Café talk', ['cafe', 'café t', 'talk']],
    ['Übersicht', ['ubersicht', 'über']],
    ['São Paulo', ['sao', 'sao paulo', 'paulo']],
    ['Straße', ['strasse', 'straße']],
    ['Øystein Ærø Đặng', ['oystein', 'aero', 'dang']],
    ['Þór Œuvre', ['thor', 'oeuvre']],
    ['Işık İnce', ['isik', 'ince', 'ışık']],
    ['شَدَّة', ['شدة']],
    ['أحمد', ['احمد']],
    ['שָׁלוֹם', ['שלום']],
    ['王小明', ['王', '小明', '明']],
    ['か\u3099んだ', ['がん', 'んだ']],
    ['C++ guild', ['c++', 'guild']],
    ['(bot) x', ['(bot', 'bot', 'x']],
    ['---', ['-', '--']],
    ['🦊', ['🦊']],
  ])('%s', (name, typed) => {
    expect(typed.filter((text) => !isFoundBy(name, text))).toEqual([]);
  });
});

test.each([
  ['Jürgen', 'urgen'],
  ['C++ guild', 'c#'],
  ['हिन्दी', 'हन'],
  ['ガ行', 'カ'],
  ['ann', 'anna'],
  ['annlee', 'ann lee'],
])('%s is not found by %s', (name, typed) => expect(isFoundBy(name, typed)).toBe(false));

test('names stay distinct: the form of a search is not the key of a name', () => {
  expect(searchForm('Jürgen')).toBe(searchForm('jurgen'));
  expect(nameKey('Jürgen')).not.toBe(nameKey('jurgen'));
});

test.each([
  ['ann', ['ann']],
  ['Ann Lee', ['ann lee', 'lee']],
  ['ann_lee-smith', ['ann lee smith', 'lee smith', 'smith']],
  ["d'Arcy", ['darcy', 'arcy']],
  ['José', ['jose']],
  ['R2 D2', ['r2 d2', 'd2']],
  ['(bot) x', ['(bot) x', 'bot) x', 'x']],
  ['王小明', ['王小明', '小明', '明']],
  ['', []],
])('%j is found by its beginning, and by that of each word: %j', (name, keys) => {
  expect(searchKeys(name)).toEqual(keys);
});

test('a name of many words is found by the first twelve', () => {
  expect(searchKeys('a '.repeat(32))).toHaveLength(12);
});

test('a key has at most 64 characters, also where one of the name becomes eighteen; so does what is looked for', () => {
  const name = '\uFDFA'.repeat(64);
  const keys = searchKeys(name);
  expect(keys.map((key) => [...key].length)).toEqual(keys.map(() => 64));
  expect(keys).toContain(searchStart(` ${name} `));
  expect(searchStart('\u{1F98A}'.repeat(65))).toBe('\u{1F98A}'.repeat(64));
});

test('every name is found by itself, in any case and composition; the form of a form is the form', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(name, fc.constantFrom('NFC', 'NFD', 'NFKC'), (text, form) => {
      fc.pre(text.trim() !== '');
      expect(isFoundBy(text, text.normalize(form))).toBe(true);
      expect(isFoundBy(text, text.toUpperCase())).toBe(true);
      expect(searchForm(searchForm(text))).toBe(searchForm(text));
    }),
    { numRuns: 3000 },
  );
});
