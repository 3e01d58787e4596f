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

type Phrase = readonly [Sought, ...Sought[]];

class Sentence {
  readonly #words: readonly Word[];
  #byPlace: ReadonlyMap<number, readonly Word[]> | undefined;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  /** Where these words follow each other, `most` times. */
  find(phrase: Phrase, stems: Stems, most: number): Hit[] {
    const [first] = phrase;
    const ways = phrase.length > 1 ? this.#ways(phrase, stems) : undefined;
    if (ways?.size === 0) return [];
    const hits: Hit[] = [];
    for (const word of this.#words) {
      if (hits.length === most) break;
      if (!isFoundAs(word, first, stems)) continue;
      if (ways === undefined) hits.push([word.from, word.to]);
      else if (goesOn(ways, word, 1)) hits.push([word.from, this.#end(word, phrase, stems, ways)]);
    }
    return hits;
  }

  /**
   * By place, from which words of the phrase on the rest of it is there, as bits. It is found in one step for each word of
   * the text, from the last one on. Trying the phrase at each word would take the product of both lengths for a text that
   * repeats itself, and, where words have parts, twice as long with each word.
   */
  #ways(phrase: Phrase, stems: Stems): Ways {
    const ways = new Map<number, bigint>();
    const exact = {
      word: new Map<string, bigint>(),
      sign: new Map<string, bigint>(),
      emoji: new Map<string, bigint>(),
    };
    for (const [index, { key, kind, isLoose }] of phrase.entries())
      if (!isLoose) exact[kind].set(key, (exact[kind].get(key) ?? 0n) | (1n << BigInt(index)));
    const isLast = 1n << BigInt(phrase.length - 1);
    const loose = this.#loose(phrase, stems);
    for (const word of this.#words.toReversed()) {
      const is = (exact[word.kind].get(word.key) ?? 0n) | (loose(word) ? isLast : 0n);
      if (is === 0n) continue;
      const from = is & (isLast | ((ways.get(word.next) ?? 0n) >> 1n));
      if (from !== 0n) ways.set(word.at, (ways.get(word.at) ?? 0n) | from);
    }
    return ways;
  }

  /** Whether a word is the last of the phrase, loosely: only behind the one before it, since a stem costs time. */
  #loose(phrase: Phrase, stems: Stems): (word: Word) => boolean {
    const [before, last] = phrase.slice(-2);
    if (!before || !last?.isLoose) return () => false;
    const places = new Set(
      this.#words.filter((word) => isFoundAs(word, before, stems)).map(({ next }) => next),
    );
    return (word) => places.has(word.at) && isFoundAs(word, last, stems);
  }

  /** Where the phrase ends that begins with this word, by the first of the ways. */
  #end(first: Word, phrase: Phrase, stems: Stems, ways: Ways): number {
    this.#byPlace ??= byPlace(this.#words);
    let word = first;
    for (const [index, sought] of phrase.entries()) {
      if (index === 0) continue;
      const isWay = (each: Word) =>
        isFoundAs(each, sought, stems) && (index === phrase.length - 1 || goesOn(ways, each, index + 1));
      word = this.#byPlace.get(word.next)?.find(isWay) ?? word;
    }
    return word.to;
  }
}

function byPlace(words: readonly Word[]): ReadonlyMap<number, readonly Word[]> {
  const places = new Map<number, Word[]>();
  for (const word of words) {
    const others = places.get(word.at);
    if (others) others.push(word);
    else places.set(word.at, [word]);
  }
  return places;
}

type Ways = ReadonlyMap<number, bigint>;

/** Whether the phrase goes on behind the word with its word of this index. */
function goesOn(ways: Ways, { next }: Word, index: number): boolean {
  return (((ways.get(next) ?? 0n) >> BigInt(index)) & 1n) === 1n;
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
