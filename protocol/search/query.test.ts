import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './query.ts';

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
