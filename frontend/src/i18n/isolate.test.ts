import { expect, test } from 'vitest';
import { en } from './en.ts';
import { isolate, splitAtNames } from './isolate.ts';
import { zh } from './zh.ts';

const NAMES = ['אבי', 'bo', 'سارة', 'di'].map(isolate);

test('a sentence is cut at its names, in every language', () => {
  expect(splitAtNames(en.room.joined(NAMES))).toEqual(['', 'אבי', ', ', 'bo', ' and 2 others joined']);
  expect(splitAtNames(en.composer.typing(NAMES.slice(0, 2)))).toEqual([
    '',
    'אבי',
    ' and ',
    'bo',
    ' are typing',
  ]);
  expect(splitAtNames(zh.room.left(NAMES.slice(0, 2)))).toEqual(['', 'אבי', ' 和 ', 'bo', ' 离开了房间']);
});

test('a sentence without names is one piece', () => {
  expect(splitAtNames(en.composer.typing(NAMES))).toEqual(['Several people are typing']);
});
