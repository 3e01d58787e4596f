import dataEn from 'emojibase-data/en/data.json';
import github from 'emojibase-data/en/shortcodes/github.json';
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json';
import dataZh from 'emojibase-data/zh/data.json';
import { describe, expect, test } from 'vitest';
import { isEmoji } from '../../../../protocol/names.ts';
import { qualifiedEmoji } from '../../../../protocol/qualified-emoji.ts';
import { compactEmoji } from '../../../emoji-data/compact.ts';
import { EMOJI_GROUPS, readEmoji } from './emoji-data.ts';
import { emojiByCode, findEmoji } from './find-emoji.ts';
import { TONES, withTone } from './skin-tone.ts';

const en = readEmoji(compactEmoji(dataEn, [iamcal, github], withTone));
const zh = readEmoji(compactEmoji(dataZh, [iamcal, github], withTone));

describe('the data of the picker', () => {
  test('has every group of Unicode in both languages, and the same emoji', () => {
    expect([...en.groups.values()].map((group) => group.length > 80)).toEqual(EMOJI_GROUPS.map(() => true));
    expect(zh.all.map(({ emoji }) => emoji)).toEqual(en.all.map(({ emoji }) => emoji));
    expect(en.all.length).toBeGreaterThan(1800);
  });

  test('every emoji, in every skin tone, is one that the server takes', () => {
    const every = en.all.flatMap(({ emoji, hasTones }) =>
      hasTones ? TONES.map((tone) => withTone(emoji, tone)) : [emoji],
    );
    expect(every.filter((emoji) => !isEmoji(emoji))).toEqual([]);
    // As the server stores a reaction: what was chosen here is what everybody receives.
    expect(every.filter((emoji) => qualifiedEmoji(emoji) !== emoji)).toEqual([]);
    expect(new Set(every).size).toBe(every.length);
  });

  test('each is written as keyboards write it: no selector after what is a picture without one', () => {
    expect(emojiByCode(en.all, '+1')?.emoji).toBe('👍');
    expect(emojiByCode(en.all, 'heart')?.emoji).toBe('❤️');
    expect(en.all.filter(({ emoji }) => /\p{Emoji_Presentation}\uFE0F/u.test(emoji))).toEqual([]);
  });

  test('hands and people have skin tones, faces and couples do not', () => {
    const hasTones = (code: string) => emojiByCode(en.all, code)?.hasTones;
    expect(['+1', 'wave', 'woman_technologist', 'v'].map(hasTones)).toEqual([true, true, true, true]);
    expect(['smile', 'tada', 'couple_with_heart_man_man'].map(hasTones)).toEqual([false, false, false]);
    expect(withTone('✌️', 1)).toBe('✌🏻');
    expect(withTone('👩‍💻', 5)).toBe('👩🏿‍💻');
  });

  test('labels are in the language, and shortcodes are the same in both', () => {
    expect(emojiByCode(zh.all, 'tada')?.label).toMatch(/\p{sc=Han}/u);
    expect(zh.all.map(({ codes }) => codes)).toEqual(en.all.map(({ codes }) => codes));
  });
});

describe('the search', () => {
  const first = (typed: string, set = en) => findEmoji(set.all, typed, 3).map(({ emoji }) => emoji);

  test.each([
    ['tada', '🎉'],
    ['+1', '👍'],
    ['thumbsup', '👍'],
    ['smile', '😄'],
    ['Heart', '❤️'],
    ['red heart', '❤️'],
    ['rocket', '🚀'],
    ['flag: fr', '🇫🇷'],
  ])('%j finds %s first', (typed, emoji) => expect(first(typed)[0]).toBe(emoji));

  test('a name that begins so comes before one of which a word begins so', () => {
    const names = findEmoji(en.all, 'sm', 20).map(({ codes }) => codes.some((code) => code.startsWith('sm')));
    expect(names.indexOf(false)).toBeGreaterThan(5);
    expect(names.lastIndexOf(true)).toBeLessThan(names.includes(false) ? names.indexOf(false) : names.length);
  });

  test('in Chinese any part of a name is found, and so are the shortcodes', () => {
    expect(first('火箭', zh)).toContain('🚀');
    expect(first('心', zh).length).toBe(3);
    expect(first('rocket', zh)).toContain('🚀');
  });

  test('nothing is found for what is no name, and everything for nothing', () => {
    expect(findEmoji(en.all, 'xyzzy')).toEqual([]);
    expect(findEmoji(en.all, ' ')).toEqual(en.all);
  });
});
