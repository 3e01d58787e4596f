import { describe, expect, test } from 'vitest';
import { en } from './en.ts';
import { LANGUAGES, languageOf, parseLanguage } from './languages.ts';
import { screensEn } from './screens-en.ts';
import { screensZh } from './screens-zh.ts';
import { zh } from './zh.ts';

const CHINESE = { ...zh, screens: screensZh };

/** Every path of a catalogue with what it holds: a text, or the number of values that a sentence takes. */
function shape(catalogue: object, path = ''): string[] {
  return Object.entries(catalogue).flatMap(([key, value]: [string, unknown]) => {
    const here = `${path}.${key}`;
    if (typeof value === 'function') return [`${here}: takes ${value.length}`];
    return typeof value === 'object' && value !== null ? shape(value, here) : [`${here}: ${typeof value}`];
  });
}

function texts(catalogue: object): string[] {
  return Object.values(catalogue).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? texts(value) : [];
  });
}

describe('every catalogue', () => {
  test('has the same keys, and its sentences take the same values', () => {
    expect(shape(CHINESE)).toEqual(shape({ ...en, screens: screensEn }));
  });

  test('leaves no text empty', () => {
    for (const catalogue of [en, screensEn, CHINESE])
      expect(texts(catalogue).filter((text) => text.trim() === '')).toEqual([]);
  });
});

describe('Chinese', () => {
  test('no text is left in English but names', () => {
    const names = new Set([zh.appName, zh.locale]);
    expect(texts(CHINESE).filter((text) => !/\p{Script=Han}/u.test(text) && !names.has(text))).toEqual([]);
  });

  test('punctuation is Chinese: no half-width comma, full stop, colon or question mark', () => {
    expect(texts(CHINESE).filter((text) => /[,.;:?!](?!\w)/u.test(text))).toEqual([]);
  });

  test('typing and notices name two and count the others', () => {
    expect(screensZh.composing.typing(['ann', 'bo'])).toBe('ann 和 bo 正在输入');
    expect(screensZh.arrivals.joined(['ann', 'bo', 'cy', 'di', 'ed'])).toBe('ann、bo 等 5 人加入了房间');
  });
});

describe('the language', () => {
  test.each([
    [['zh-CN', 'en'], 'zh'],
    [['zh-Hans-SG'], 'zh'],
    [['ZH'], 'zh'],
    [['en-GB', 'zh'], 'en'],
    [['fr-CH', 'zh-TW', 'en'], 'zh'],
    [['fr', 'de'], 'en'],
    [[], 'en'],
  ])('of a browser that prefers %j is %s', (tags, language) => {
    expect(languageOf(tags)).toBe(language);
  });

  test('that was stored is one of ours or none', () => {
    for (const language of Object.keys(LANGUAGES)) expect(parseLanguage(language)).toBe(language);
    for (const other of ['', 'EN', 'fr', null]) expect(parseLanguage(other)).toBeNull();
  });
});
