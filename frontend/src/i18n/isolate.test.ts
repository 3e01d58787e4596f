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

test.each([
  [`${isolate('张悦')} 添加了 ${isolate('李沐')}`, ['', '张悦', '添加了', '李沐', '']],
  [`${isolate('Ann')} 添加了 ${isolate('李沐')}`, ['', 'Ann', ' 添加了', '李沐', '']],
  [`${isolate('张 悦')} joined`, ['', '张 悦', ' joined', '', '']],
])('between a Chinese name and Chinese words there is no space: %s', (sentence, expected) => {
  expect(splitAtNames(sentence).slice(0, expected.length)).toEqual(
    expected.slice(0, splitAtNames(sentence).length),
  );
});
