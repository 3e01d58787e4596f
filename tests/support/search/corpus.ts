/** All sentences of the trials of the search, each by a key such as `en3`: the third of its language. */
import { ALPHABETS } from './sentences-alphabets.ts';
import { SIGNS } from './sentences-signs.ts';

export const CORPUS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...ALPHABETS, ...SIGNS }).flatMap(([language, sentences]) =>
    sentences.map((sentence, index) => [`${language}${index + 1}`, sentence] as const),
  ),
);
