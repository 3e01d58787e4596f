import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemsOf } from '../../../../protocol/search/query.ts';
import { variantsOf } from './variants.ts';

test.each([
  ['zeppelin', ['zeppelin in:all']],
  ['zeppelin from:ann', ['zeppelin', 'zeppelin from:ann in:all']],
  ['in:"two words" zeppelin noon', ['zeppelin noon', 'in:"two words" noon', 'in:"two words" zeppelin']],
  ['in:tower', []],
  ['zeppelin -noon in:tower', ['zeppelin -noon']],
])('%j without one of its parts: %j', (query, expected) => {
  expect(variantsOf(query).map((variant) => variant.query)).toEqual(expected);
});

const PIECE = fc.constantFrom(
  'zeppelin',
  '"to be"',
  '-noon',
  'from:ann',
  'in:"two words"',
  'has:file',
  'on:today',
);

test('each lacks one part and has all others', () => {
  fc.assert(
    fc.property(fc.array(PIECE, { minLength: 1, maxLength: 6 }), (pieces) => {
      const query = pieces.join(' ');
      for (const { query: variant, without } of variantsOf(query)) {
        const by = without === 'own rooms' ? 1 : -1;
        expect(itemsOf(variant)).toHaveLength(itemsOf(query).length + by);
      }
    }),
  );
});
