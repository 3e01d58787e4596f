/** Texts for the search: words of a made-up language, some of which are frequent and most of which are rare. */
import { type Random, seededRandom } from '../tests/support/random.ts';

/** The most frequent words first: the commonest is in about half of the texts. */
const COMMON =
  'the of and to in is it for on we a that this with have are be was as not you at from they will can server release'.split(
    ' ',
  );
const ENDINGS = ['', '', '', 's', 'ing', 'ed'];
const SYLLABLES =
  'ba con de fi ga hu in ka lo mer ni or pla qui ra ser ta un ver wa yo zu ster pro men der lis tan gro bel'.split(
    ' ',
  );
const WORDS = 30_000;
/** Every twelfth word is a compound, as in German: two words written as one. */
const COMPOUND_EVERY = 12;
/** The Chinese characters that texts are made of. */
const SIGNS = { first: 0x4e00, count: 2000 };
const CHINESE_SHARE = 0.1;

export class Texts {
  readonly words: readonly string[];
  readonly #random: Random;
  /** The rank of a word by a random number. */
  readonly #ranks: Float64Array;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const words = new Set(COMMON);
    while (words.size < WORDS) words.add(this.#newWord(words.size));
    this.words = [...words];
    this.#ranks = ranksOf(WORDS);
  }

  /** Of about ten words, or of twenty signs. */
  next(): string {
    const random = this.#random;
    if (random.next() < CHINESE_SHARE)
      return Array.from({ length: random.integer(8, 30) }, () => this.sign()).join('');
    return Array.from({ length: random.integer(4, 16) }, () => this.#word()).join(' ');
  }

  /** Frequent ones are drawn more often. */
  sign(): string {
    return signAt(Math.floor(SIGNS.count * this.#random.next() ** 3));
  }

  #word(): string {
    const wanted = this.#random.next();
    let [low, high] = [0, this.#ranks.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ranks[middle] ?? 1) < wanted) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? 'the';
  }

  #newWord(size: number): string {
    const random = this.#random;
    const some = (count: number) =>
      Array.from({ length: count }, () => SYLLABLES[random.integer(0, SYLLABLES.length - 1)]).join('');
    const ending = ENDINGS[random.integer(0, ENDINGS.length - 1)] ?? '';
    return size % COMPOUND_EVERY === 0 ? `${some(3)}versicherung` : some(random.integer(2, 4)) + ending;
  }
}

/** The character of a rank, the most frequent first. */
export function signAt(rank: number): string {
  return String.fromCodePoint(SIGNS.first + rank);
}

/** The shares of the words up to each rank, by Zipf's law. */
function ranksOf(count: number): Float64Array {
  const shares = Float64Array.from({ length: count }, (_, rank) => 1 / (rank + 1));
  const total = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  return shares.map((share) => {
    sum += share / total;
    return sum;
  });
}
