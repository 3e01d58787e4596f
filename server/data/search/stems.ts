/**
 * The stems of words: `running` and `runs` have that of `run`. The algorithms are Snowball's (Porter 2 for English,
 * https://snowballstem.org). They are loaded when the first index or search needs them.
 */
import { fold } from '../../../protocol/search/fold.ts';
import type { Stems } from '../../../protocol/search/tokens.ts';
import { wordsOf } from '../../../protocol/search/words.ts';
import { STEMMERS, type StemLanguage } from '../../platform/stem-languages.ts';

export type { StemLanguage };

/**
 * Words of which the stems are remembered, at most twice as many: texts say the same words again and again, and a stem
 * takes longer than all else that is done with a word. Of those that were not said for so many others nothing is kept.
 */
const KNOWN_MAX = 16_384;
/** UTF-16 units. Longer words are names and keys, and have no stem. */
const WORD_MAX = 32;
/**
 * Words that end in a digit have no stem: no inflection ends in one, but some algorithms take 100 for a form of 10.
 * They are numbers, times and keys, and few of them occur twice.
 */
const ENDS_IN_DIGIT = /[0-9]$/;
const IS_ASCII = /^[\0-\x7F]*$/;

/** Words of which the stems are found in one step. */
const STEP = 8;
/** UTF-16 units. Shorter texts are read at once: looking for their words first would be half of the work. */
const LONG = 256;

/**
 * Finds the stems of all words, in short steps, so that they are known when the texts are read. In several languages
 * those of one long text of words that nobody has said before take a tenth of a second.
 */
export function* learnStems(texts: readonly string[], stems: Stems): Generator<void> {
  if (texts.reduce((sum, { length }) => sum + length, 0) < LONG) return;
  let count = 0;
  for (const text of texts) {
    for (const { key, kind } of wordsOf(text)) {
      if (kind !== 'word') continue;
      stems(key);
      if (++count % STEP === 0) yield;
    }
  }
}

/** Of folded words. In none of the languages: none. */
export async function createStems(languages: readonly StemLanguage[]): Promise<Stems> {
  if (languages.length === 0) return () => [];
  const { default: snowball } = await import('snowball-stemmers');
  const stemmers = languages.map((language) => snowball.newStemmer(STEMMERS[language]));
  const stemsOf = (key: string) =>
    [...new Set(stemmers.map((stemmer) => folded(stemmer.stem(key))))].filter((stem) => stem !== '');
  let known = new Map<string, readonly string[]>();
  let earlier = known;
  return (key) => {
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    if (key.length > WORD_MAX) return [];
    if (ENDS_IN_DIGIT.test(key)) return [key];
    const stems = earlier.get(key) ?? stemsOf(key);
    if (known.size === KNOWN_MAX) {
      earlier = known;
      known = new Map();
    }
    known.set(key, stems);
    return stems;
  };
}

/** The folded stem. Most stems are ASCII, which takes no table. */
function folded(stem: string): string {
  return IS_ASCII.test(stem) ? stem.toLowerCase() : fold(stem);
}
