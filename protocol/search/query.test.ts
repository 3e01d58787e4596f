import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FILTERS, type FilterName, itemsOf, parseQuery, unfinishedFilter, writeFilter } from './query.ts';

/** A short form: exact words in quotes, excluded ones with a minus. */
function shown(typed: string): string {
  const { terms, filters } = parseQuery(typed);
  const minus = (isExcluded: boolean) => (isExcluded ? '-' : '');
  return [
    ...terms.map(({ words, isExcluded }) => {
      const text = words.map(({ key }) => key).join('+');
      return minus(isExcluded) + (words.at(-1)?.isLoose ? `${text}*` : text);
    }),
    ...filters.map(({ name, value, isExcluded }) => `${minus(isExcluded)}${name}=${value}`),
  ].join(' ');
}

test.each([
  ['deploy friday', 'deploy* friday*'],
  ['"deploy friday"', 'deploy+friday'],
  ['“deploy friday” „und so“ «alors»', 'deploy+friday und+so alors'],
  ['PLT-3699', 'plt+3699*'],
  ['-draft -"not this"', '-draft* -not+this'],
  ['－草稿', '-草+稿'],
  ['from:ann in:#general hello', 'hello* from=ann in=#general'],
  ['from:"Ann Lee" -in:random', 'from=Ann Lee -in=random'],
  ['From：ann', 'from=ann'],
  ['has:picture is:pinned before:2026-11-01', 'has=picture is=pinned before=2026-11-01'],
  ['has:nothing', 'has+nothing*'],
  ['from: ann', 'from* ann*'],
  ['https://example.org/a', 'https+example+org+a*'],
  ['note:x', 'note+x*'],
  ['"never closed', 'never+closed'],
  ['今天发布', '今+天+发+布'],
  ['user_id', 'user_id*'],
  ['- "" !!!', ''],
  ['', ''],
])('%j is read as %j', (typed, expected) => {
  expect(shown(typed)).toBe(expected);
});

test('whatever is typed is a query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (typed) => {
      for (const { words } of parseQuery(typed).terms) expect(words.length).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});

test.each(['"', 'a:', '-', 'from:', '“a', '"-'])('many times %j are read in the end', (piece) => {
  expect(parseQuery(piece.repeat(256)).terms.length).toBeLessThanOrEqual(512);
});

const VALUE = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/["“”„«»「」＂]/gu, '').trim())
  .filter((text) => text !== '');
const FILTER = fc
  .tuple(fc.constantFrom(...(Object.keys(FILTERS) as FilterName[])), VALUE, fc.boolean(), fc.nat())
  .map(([name, any, isExcluded, place]) => {
    const known = FILTERS[name];
    return { name, value: known === null ? any : (known[place % known.length] ?? ''), isExcluded };
  });

test('a filter is read as it was written, wherever it stands, and its place holds nothing else', () => {
  fc.assert(
    fc.property(FILTER, fc.constantFrom('', 'word ', '"two words" '), (filter, before) => {
      const typed = `${before}${writeFilter(filter)} behind`;
      expect(parseQuery(typed).filters).toEqual([filter]);
      const item = itemsOf(typed).find((one) => 'filter' in one);
      expect(typed.slice(item?.from, item?.to)).toBe(writeFilter(filter));
    }),
  );
});

test('items stand one behind the other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (typed) => {
      let at = 0;
      for (const { from, to } of itemsOf(typed)) {
        expect([from >= at, to > from, to <= typed.length]).toEqual([true, true, true]);
        at = to;
      }
    }),
  );
});

test.each([
  ['from:', { name: 'from', value: '', isExcluded: false, from: 0 }],
  ['hello from:an', { name: 'from', value: 'an', isExcluded: false, from: 6 }],
  ['hello -in:"two wo', { name: 'in', value: 'two wo', isExcluded: true, from: 6 }],
  ['Has：pic', { name: 'has', value: 'pic', isExcluded: false, from: 0 }],
  ['from:ann ', null],
  ['from:"Ann Lee"', null],
  ['hello', null],
  ['hello:an', null],
  ['xfrom:an', null],
])('%j ends with the filter %j, which is not complete', (typed, expected) => {
  expect(unfinishedFilter(typed)).toEqual(expected);
});
