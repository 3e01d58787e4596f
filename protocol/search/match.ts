/** Decides whether a text is found, and says where. */
import type { Sought, Term } from './query.ts';
import { isFoundAs, type Stems } from './tokens.ts';
import { type Word, wordsOf } from './words.ts';

/** Where a text has what is looked for: from and to (not included), in UTF-16 units. */
export type Hit = readonly [from: number, to: number];

/** Hits of one text that are told. */
const HITS_MAX = 32;

/** Where the texts have all terms, and none that is excluded; null: they are not found. Each text has its own hits. */
export function findTerms(
  texts: readonly string[],
  terms: readonly Term[],
  stems: Stems,
): readonly (readonly Hit[])[] | null {
  const all = texts.map((text) => new Sentence(wordsOf(text)));
  const hits = texts.map((): Hit[] => []);
  for (const { words, isExcluded } of terms) {
    let isFound = false;
    for (const [index, sentence] of all.entries()) {
      const found = sentence.find(words, stems, isExcluded ? 1 : HITS_MAX);
      if (found.length > 0) isFound = true;
      if (!isExcluded) hits[index]?.push(...found);
    }
    if (isFound === isExcluded) return null;
  }
  return hits.map(merged);
}

class Sentence {
  readonly #words: readonly Word[];
  readonly #byPlace = new Map<number, Word[]>();

  constructor(words: readonly Word[]) {
    this.#words = words;
    for (const word of words) {
      const others = this.#byPlace.get(word.at);
      if (others) others.push(word);
      else this.#byPlace.set(word.at, [word]);
    }
  }

  /** Where these words follow each other, `most` times. */
  find(sought: readonly Sought[], stems: Stems, most: number): Hit[] {
    const hits: Hit[] = [];
    for (const word of this.#words) {
      if (hits.length === most) break;
      const to = this.#end(word, sought, stems);
      if (to !== null) hits.push([word.from, to]);
    }
    return hits;
  }

  /**
   * Where what is sought ends, if this is the first of its words; null: others follow. A word with parts and its parts are
   * two ways, which meet behind it: each place is looked at once, and not once for each way to it.
   */
  #end(first: Word, sought: readonly Sought[], stems: Stems): number | null {
    let there: readonly Word[] = [first];
    let to = -1;
    for (const each of sought) {
      const found = there.length === 1 ? there : there.filter((word) => isFoundAs(word, each, stems));
      const [word] = found;
      if (!word || (there.length === 1 && !isFoundAs(word, each, stems))) return null;
      to = word.to;
      there = found.length === 1 ? this.#at(word.next) : this.#atAny(found);
    }
    return to;
  }

  #at(place: number): readonly Word[] {
    return this.#byPlace.get(place) ?? NO_WORDS;
  }

  #atAny(before: readonly Word[]): readonly Word[] {
    const places = new Set(before.map(({ next }) => next));
    return [...places].flatMap((place) => this.#at(place));
  }
}

const NO_WORDS: readonly Word[] = [];

/** In their order, and those that overlap as one. */
function merged(hits: readonly Hit[]): Hit[] {
  const result: Hit[] = [];
  for (const [from, to] of hits.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)];
    else result.push([from, to]);
  }
  return result.slice(0, HITS_MAX);
}
