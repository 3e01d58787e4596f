import { expect, test } from 'vitest';
import { searchKeys, searchStart } from './search-keys.ts';

test.each([
  ['ann', ['ann']],
  ['Ann Lee', ['ann lee', 'lee']],
  ['ann_lee-smith', ['ann_lee-smith', 'lee-smith', 'smith']],
  ["d'Arcy", ["d'arcy", 'arcy']],
  ['José', ['josé']],
  ['R2 D2', ['r2 d2', 'd2']],
  ['(bot) x', ['(bot) x', 'bot) x', 'x']],
  ['王小明', ['王小明', '小明', '明']],
  ['\u{1F98A}', ['\u{1F98A}']],
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
  const fox = '\u{1F98A}'.repeat(65);
  expect(searchStart(fox)).toBe('\u{1F98A}'.repeat(64));
});
