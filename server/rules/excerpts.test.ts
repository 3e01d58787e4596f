import { expect, test } from 'vitest';
import { excerptOf } from '../../protocol/excerpt.ts';
import { keptExcerptOf } from './excerpts.ts';

test('an excerpt that is kept is that of the text, however many texts come between', () => {
  const texts = Array.from({ length: 5000 }, (_, index) => `**${index}** ${'word '.repeat(index % 60)}`);
  for (const text of [...texts, ...texts.toReversed()]) expect(keptExcerptOf(text)).toBe(excerptOf(text));
});
