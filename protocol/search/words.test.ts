import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

const keys = (text: string) => wordsOf(text).map(({ key }) => key);

test.each([
  ['Straße, café & O’Brien!', ['strasse', 'cafe', 'obrien', 'o', 'brien']],
  ["l'homme d’Arcy can't", ['lhomme', 'l', 'homme', 'darcy', 'd', 'arcy', 'cant', 'can', 't']],
  ['user_id getUserId HTTPServer', 'user_id user id getuserid get user id httpserver http server'.split(' ')],
  ['PLT-3699 v2.1', ['plt', '3699', 'v2', '1']],
  ['我们在用iPhone手机', ['我', '们', '在', '用', 'iphone', 'i', 'phone', '手', '机']],
  ['か\u3099んだ ガンダ ｶﾞﾝﾀﾞ', ['が', 'ん', 'だ', 'が', 'ん', 'だ', 'が', 'ん', 'だ']],
  ['안녕 \u1112\u1161\u11AB\u1100\u1173\u11AF', ['안', '녕', '한', '글']],
  ['สวัสดี', ['ส', 'วั', 'ส', 'ดี']],
  ['हिन्दी में', ['हिन्दी', 'में']],
  ['Ελένη Алёна', ['ελενη', 'алена']],
  ['👍🏽 ❤️ 👩‍💻 🇨🇭', ['👍', '❤', '👩‍💻', '🇨🇭']],
  ['1️⃣ is 1', ['1⃣', 'is', '1']],
  ['__init__ _x_ a__b', ['init', 'x', 'a__b', 'a', 'b']],
  ['⑴ ﷺ', ['1', 'صلىاللهعليهوسلم']],
  ['... --- !!!', []],
  ['', []],
])('%j has the words %j', (text, expected) => {
  expect(keys(text)).toEqual(expected);
});

test('parts have places that follow each other, and their whole has all of them', () => {
  const places = wordsOf('a user_id b').map(({ key, at, next }) => [key, at, next]);
  expect(places).toEqual([
    ['a', 0, 1],
    ['user_id', 1, 3],
    ['user', 1, 2],
    ['id', 2, 3],
    ['b', 3, 4],
  ]);
});

test('a word of more than sixteen parts is one word', () => {
  expect(wordsOf('aB'.repeat(20))).toHaveLength(1);
  expect(wordsOf('aB'.repeat(5)).length).toBeGreaterThan(1);
});

const TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aZé_\'’-1 中가ガーかไ👍🏽\u200D\uFE0F\u0301\u3099\u1112\u1161"#*'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  maxLength: 60,
});

test('a word stands where it says, places never go back, and no key is empty or has white space', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      let last = 0;
      for (const { key, at, next, from, to } of wordsOf(text)) {
        expect(key).toMatch(/^[^\s\0]+$/u);
        expect(next).toBeGreaterThan(at);
        expect(at).toBeGreaterThanOrEqual(last);
        expect(text.slice(from, to)).not.toBe('');
        last = at;
      }
    }),
    { numRuns: 1000 },
  );
});

test('a text has the same words in any composition of its letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aéñüÅ 한글가がパ'), maxLength: 30 }), (text) => {
      expect(keys(text.normalize('NFD'))).toEqual(keys(text.normalize('NFC')));
    }),
  );
});

test.each([
  'aB',
  'a_',
  "a'",
  'a\u0301',
  '\u0301',
  '_',
  '👍\u200D',
  '#\uFE0F',
  '中\u3099',
  '\u1112',
  'A\u0301',
])('four thousand characters of %j end: %#', (piece) => {
  const words = wordsOf(piece.repeat(4000 / piece.length));
  expect(words.length).toBeLessThanOrEqual(8000);
});

test('a capital begins a part behind up to four marks, so that a text of marks alone takes no longer to read', () => {
  const keys = (text: string) => wordsOf(text).map(({ key }) => key);
  expect(keys(`get${'\u0301'.repeat(4)}User`)).toEqual(['getuser', 'get', 'user']);
  expect(keys(`get${'\u0301'.repeat(5)}User`)).toEqual(['getuser']);
  expect(keys(`a${'\u0301'.repeat(4000)}B`)).toEqual(['a']);
});
