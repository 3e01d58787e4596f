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
  find([first, ...rest]: readonly [Sought, ...Sought[]], stems: Stems, most: number): Hit[] {
    const hits: Hit[] = [];
    for (const word of this.#words) {
      if (hits.length === most) break;
      if (!isFoundAs(word, first, stems)) continue;
      const to = this.#end(word, rest, stems);
      if (to !== null) hits.push([word.from, to]);
    }
    return hits;
  }

  /** Where the words that must follow this one end; null: others follow. */
  #end({ next, to }: Word, rest: readonly Sought[], stems: Stems): number | null {
    const [sought, ...others] = rest;
    if (!sought) return to;
    for (const word of this.#byPlace.get(next) ?? []) {
      const end = isFoundAs(word, sought, stems) ? this.#end(word, others, stems) : null;
      if (end !== null) return end;
    }
    return null;
  }
}

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
