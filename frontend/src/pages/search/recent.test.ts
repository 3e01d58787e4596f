import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_RECENT, parsed, withRecent } from './recent.ts';

test('the latest is first, and each is there once', () => {
  expect(withRecent(['b', 'a'], 'a')).toEqual(['a', 'b']);
});

test('what the latest search completes was made on the way, and is left out', () => {
  expect(withRecent(['zep', 'a'], 'zeppelin')).toEqual(['zeppelin', 'a']);
  expect(withRecent(['a', 'zep'], 'zeppelin')).toEqual(['zeppelin', 'a', 'zep']);
});

test.each(['', 'null', '{}', '7', 'not json', '[1, null, ""]'])('%j on the device is no search', (stored) => {
  expect(parsed(stored)).toEqual([]);
});

test('whatever is searched for: few, each once, and as they are read again', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 30 }), (queries) => {
      const kept = queries.reduce<readonly string[]>(withRecent, []);
      expect(kept.length).toBeLessThanOrEqual(MOST_RECENT);
      expect(new Set(kept).size).toBe(kept.length);
      if (queries.length > 0) expect(kept[0]).toBe(queries.at(-1));
      expect(parsed(JSON.stringify(kept))).toEqual(kept);
    }),
  );
});
