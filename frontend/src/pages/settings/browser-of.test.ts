import { expect, test } from 'vitest';
import { isOneEmoji } from '../../ui/is-one-emoji.ts';
import { browserOf } from './browser-of.ts';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 ' +
      'Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0',
    'Edge, Windows',
  ],
  ['curl/8.5.0', null],
  ['', null],
])('the browser of %j is %s', (agent, expected) => {
  expect(browserOf(agent)).toBe(expected);
});

test.each([
  ['🚀', true],
  ['👩‍👩‍👧', true],
  ['❤️', true],
  ['🇨🇭', true],
  ['ab', false],
  ['1', false],
  ['🚀🚀', false],
  ['', false],
])('one emoji: %j is %s', (text, expected) => {
  expect(isOneEmoji(text)).toBe(expected);
});
