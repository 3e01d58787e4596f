/**
 * The stems of words: `running` and `runs` have that of `run`. The algorithms are Snowball's (Porter 2 for English,
 * https://snowballstem.org). They are loaded when the first index or search needs them.
 */
import { fold } from '../../../protocol/search/fold.ts';
import type { Stems } from '../../../protocol/search/tokens.ts';
import { STEMMERS, type StemLanguage } from '../../platform/stem-languages.ts';

export type { StemLanguage };

/** Words of which the stems are remembered: texts say the same words again and again. */
const KNOWN_MAX = 8192;
/** UTF-16 units. Longer words are names and keys, and have no stem. */
const WORD_MAX = 32;

/** Of folded words. In none of the languages: none. */
export async function createStems(languages: readonly StemLanguage[]): Promise<Stems> {
  if (languages.length === 0) return () => [];
  const { default: snowball } = await import('snowball-stemmers');
  const stemmers = languages.map((language) => snowball.newStemmer(STEMMERS[language]));
  const known = new Map<string, readonly string[]>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (key.length > WORD_MAX) return [];
    const stems = [...new Set(stemmers.map((stemmer) => fold(stemmer.stem(key))))].filter(
      (stem) => stem !== '',
    );
    if (known.size === KNOWN_MAX) known.clear();
    known.set(key, stems);
    return stems;
  };
}
