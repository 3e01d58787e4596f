import { expect, test } from 'vitest';
import { wordsOf } from '../../../protocol/search/words.ts';
import { learnStems } from './stems.ts';

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
