import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findTerms } from './match.ts';
import { parseQuery } from './query.ts';
import { type AnyOf, conditionsOf, tokensOf } from './tokens.ts';

/** A stem for the tests: without `s`, `ing` and a doubled letter before it. */
const stems = (key: string) => [key.replace(/(?:(.)\1ing|ing|s)$/u, '$1')];

const find = (text: string, typed: string) => findTerms([text], parseQuery(typed).terms, stems)?.[0] ?? null;
const found = (text: string, typed: string) =>
  find(text, typed)?.map(([from, to]) => text.slice(from, to)) ?? null;

describe('a text is found', () => {
  test.each([
    ['The deploy of plt-3699 went well', 'PLT-3699', ['plt-3699']],
    ['PLT 3699', 'plt-36', null],
    ['PLT 3699', 'plt-369', ['PLT 3699']],
    ['Krankenversicherung', 'versicherung', ['Krankenversicherung']],
    ['Krankenversicherung', 'kranken', ['Krankenversicherung']],
    ['She runs, I was running', 'run', ['runs', 'running']],
    ['running', 'runs', ['running']],
    ['a café in Zürich', 'CAFE zurich', ['café', 'Zürich']],
    ['getUserId(user_id)', 'user id', ['UserId', 'user_id']],
    ['getUserId(user_id)', '"user id"', ['UserId', 'user_id']],
    ['我们今天发布', '今天', ['今天']],
    ['我们今天发布', '今', ['今']],
    ['我们今天发布', '天今', null],
    ['カタカナ', 'かたかな', ['カタカナ']],
    ['안녕하세요', '녕하', ['녕하']],
    ['well done 👍🏽', '👍', ['👍🏽']],
    ['the cat', 'ca', null],
    ['the cat', 'cat', ['cat']],
    ['ca', 'ca', ['ca']],
    ['concatenate', 'cat', null],
    ['one two three', '"two three"', ['two three']],
    ['one two three', '"one three"', null],
    ['one two three', '"two thre"', null],
    ['one two three', 'one -two', null],
    ['one three', 'one -two', ['one']],
    ['see https://example.org/docs/Setup.md', 'setup.md', ['Setup.md']],
    ['l’homme', 'homme', ['homme']],
  ])('%j by %j: %j', (text, typed, expected) => {
    expect(found(text, typed)).toEqual(expected);
  });
});

test('terms may be in different texts of a message, words of one term may not', () => {
  const texts = ['the invoice', 'march.pdf'];
  const hits = (typed: string) => findTerms(texts, parseQuery(typed).terms, stems);
  expect(hits('invoice march')).toEqual([[[4, 11]], [[0, 5]]]);
  expect(hits('"invoice march"')).toBeNull();
  expect(hits('invoice -pdf')).toBeNull();
});

test('a text with many words of parts, which can be read in millions of ways, is read in one step for each place', () => {
  // Marks are no part of the key, and the first 128 characters are the word: the whole is equal to its first part.
  const text = `a${'\u0301'.repeat(127)}_a `.repeat(30);
  const typed = 'a-'.repeat(60);
  expect(findTerms([text], parseQuery(`${typed}b`).terms, stems)).toBeNull();
  expect(find(`${text} b`, `${'a-'.repeat(45)}b`)?.at(-1)?.[1]).toBe(text.length + 2);
});

const PIECE = fc.oneof(
  fc.constantFrom(
    ...[
      'run',
      'runs',
      'running',
      'Krankenversicherung',
      'versicherung',
      'user_id',
      'getUserId',
      'café',
      "d'Arcy",
    ],
    ...[
      'PLT-3699',
      '3699',
      '今天',
      '今',
      '天发',
      'カタ',
      '가나',
      'สวัสดี',
      '👍',
      '👍🏽',
      'a',
      'ab',
      'abc',
      'x'.repeat(70),
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const TEXT = fc
  .array(fc.tuple(PIECE, fc.constantFrom(' ', '', '-', '. ', '\n', '"')), { maxLength: 8 })
  .map((pieces) => pieces.flat().join(''));

const holds = (tokens: ReadonlySet<string>, anyOf: AnyOf) =>
  anyOf.some((one) =>
    'token' in one ? tokens.has(one.token) : [...tokens].some((token) => token.startsWith(one.prefix)),
  );

test('a text that is found has all that the index is asked for', () => {
  fc.assert(
    fc.property(TEXT, TEXT, (text, typed) => {
      const wanted = parseQuery(typed).terms.filter(({ isExcluded }) => !isExcluded);
      for (const term of wanted) {
        if (findTerms([text], [term], stems) === null) continue;
        const tokens = tokensOf(text, stems);
        for (const anyOf of conditionsOf(term, stems)) expect(holds(tokens, anyOf)).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
});

test('a text is found by each of its stretches of words, loosely and exactly, and hits are in order', () => {
  fc.assert(
    fc.property(TEXT, TEXT, TEXT, (before, middle, after) => {
      const text = `${before} ${middle} ${after}`;
      const typed = middle.replace(/["“”„«»「」＂]/gu, ' ').trim();
      const { terms } = parseQuery(`"${typed}"`);
      const hits = findTerms([text], terms, stems)?.[0];
      if (terms.length === 0) return;
      expect(hits?.length).toBeGreaterThan(0);
      for (const [index, [from, to]] of (hits ?? []).entries()) {
        expect(from).toBeLessThan(to);
        expect(from).toBeGreaterThanOrEqual(hits?.[index - 1]?.[1] ?? 0);
      }
    }),
    { numRuns: 1000 },
  );
});

test('no token has white space, and none is longer than 66 code points', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      for (const token of tokensOf(text, stems)) {
        expect(token).toMatch(/^[^\s\0]+$/u);
        expect([...token].length).toBeLessThanOrEqual(66);
      }
    }),
  );
});
