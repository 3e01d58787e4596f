import { expect, test } from 'vitest';
import { isolate, splitAtNames } from './isolate.ts';
import { screensEn } from './screens-en.ts';
import { screensZh } from './screens-zh.ts';

const NAMES = ['אבי', 'bo', 'سارة', 'di'].map(isolate);

test('a sentence is cut at its names, in every language', () => {
  expect(splitAtNames(screensEn.arrivals.joined(NAMES))).toEqual([
    '',
    'אבי',
    ', ',
    'bo',
    ' and 2 others joined',
  ]);
  expect(splitAtNames(screensEn.composing.typing(NAMES.slice(0, 2)))).toEqual([
    '',
    'אבי',
    ' and ',
    'bo',
    ' are typing',
  ]);
  expect(splitAtNames(screensZh.arrivals.left(NAMES.slice(0, 2)))).toEqual([
    '',
    'אבי',
    ' 和 ',
    'bo',
    ' 离开了房间',
  ]);
});

test('a sentence without names is one piece', () => {
  expect(splitAtNames(screensEn.composing.typing(NAMES))).toEqual(['Several people are typing']);
});
