import { expect, test } from 'vitest';
import { fold } from '../../../protocol/search/fold.ts';
import { wordsOf } from '../../../protocol/search/words.ts';
import { STEMMERS, type StemLanguage } from '../../platform/stem-languages.ts';
import { createStems, learnStems } from './stems.ts';

test('forms of a word have one stem, folded, and each language adds its own', async () => {
  const stems = await createStems(['en', 'de']);
  for (const word of ['run', 'runs', 'running']) expect(stems(word)).toContain('run');
  expect(stems('hauses')).toContain('haus');
  const spanish = await createStems(['es']);
  expect(spanish(fold('canción'))).toEqual(spanish('canciones'));
});

test('a word that ends in a digit is its own stem, as no ending ends so', async () => {
  const words = ['s00001', '1764000000000', '100', 'mp3', 'runnings2', 'über1', 'plt369'].map(fold);
  for (const language of Object.keys(STEMMERS) as StemLanguage[]) {
    const stems = await createStems([language]);
    for (const word of words) expect(stems(word)).toEqual([word]);
  }
});

test('a longer word than 32 characters has no stem, and without a language none has', async () => {
  const stems = await createStems(['en']);
  expect([stems('a'.repeat(33)), stems('a'.repeat(32))]).toEqual([[], ['a'.repeat(32)]]);
  expect((await createStems([]))('running')).toEqual([]);
});

test('the stems of a long text are found in steps of a few words, all of them, and of a short one not before it is read', () => {
  const text = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' 中 ');
  const asked: string[] = [];
  const stems = (key: string) => {
    asked.push(key);
    return [];
  };
  let before = 0;
  for (const _ of learnStems(['', text, 'and its file.pdf'], stems)) {
    expect(asked.length - before).toBeLessThanOrEqual(8);
    before = asked.length;
  }
  const words = wordsOf(`${text} and its file.pdf`).filter(({ kind }) => kind === 'word');
  expect(asked).toEqual(words.map(({ key }) => key));
  asked.length = 0;
  for (const _ of learnStems(['a short text'], stems)) expect.unreachable();
  expect(asked).toEqual([]);
});
