import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery, writeFilter } from '../../../../protocol/search/query.ts';
import { queryOf, withoutFilters } from './field-text.ts';

test.each([
  ['hello', [], 'hello'],
  ['from:ann', [], 'from:ann'],
  ['from:ann ', ['from:ann'], ''],
  ['deploy from:ann fri', ['from:ann'], 'deploy fri'],
  ['in:"two words" ', ['in:"two words"'], ''],
  ['in:"two words"', ['in:"two words"'], ''],
  ['in:"two wo', [], 'in:"two wo'],
  ['has:pic ', [], 'has:pic '],
  ['-is:pinned has:file x', ['-is:pinned', 'has:file'], 'x'],
])('of %j, the chips are %j and the text is %j', (typed, chips, text) => {
  const field = withoutFilters(typed, false);
  expect([field.filters.map(writeFilter), field.text]).toEqual([chips, text]);
});

test('a filter at the end is taken where the text is complete', () => {
  expect(withoutFilters('deploy from:ann', true).filters).toHaveLength(1);
});

test.each([
  ['from:', ''],
  ['deploy from:an', 'deploy'],
  ['deploy ', 'deploy'],
  ['note:x', 'note:x'],
])('%j looks for %j', (text, query) => expect(queryOf({ filters: [], text })).toBe(query));

const PIECE = fc.constantFrom(
  'deploy',
  'from:ann',
  '-in:"two words"',
  'has:file',
  '"to be"',
  'x:y',
  ' ',
  '  ',
);

test('chips and text ask for what was typed', () => {
  fc.assert(
    fc.property(fc.array(PIECE, { maxLength: 8 }), (pieces) => {
      const typed = pieces.join(' ');
      const { filters, terms } = parseQuery(typed);
      const again = parseQuery(queryOf(withoutFilters(typed, true)));
      expect(again.terms).toEqual(terms);
      expect(again.filters).toEqual(filters);
    }),
  );
});
