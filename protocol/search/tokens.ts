/**
 * What the index keeps of a text, and what it is asked for. A text that `match.ts` accepts has all tokens that the index
 * is asked for (`match.test.ts` holds that). The other way around it need not be so: the index proposes, and `match.ts`
 * decides.
 */
import type { Sought, Term } from './query.ts';
import { type Word, wordsOf } from './words.ts';

/** Code points of a token. */
const TOKEN_MAX = 64;
/** Begins tokens that are no text: no word has a character for private use. */
const MARK = '\uE000';
const BACKWARDS = `${MARK}b`;
const STEM = `${MARK}s`;
/** Two words that follow each other have one of these characters for private use as a token. */
const PAIRS = { first: 0xe100, count: 4096 };

/** Code points of the shortest word that finds those which begin with it. */
export const PREFIX_MIN = 3;
/** Code points of the shortest word that finds those which end with it, and of the shortest word that is found so. */
export const SUFFIX_MIN = 4;
export const SUFFIX_OF_MIN = 9;

/** The stems of a folded word in the languages of the server. */
export type Stems = (key: string) => readonly string[];

export type Condition = { token: string } | { prefix: string };
/** At least one of these. */
export type AnyOf = readonly [Condition, ...Condition[]];

/** The set of tokens of a text. None has white space. */
export function tokensOf(text: string, stems: Stems): Set<string> {
  const tokens = new Set<string>();
  const words = wordsOf(text);
  const signs = new Map(words.filter(({ kind }) => kind === 'sign').map((word) => [word.at, word.key]));
  for (const token of pairsOf(words)) tokens.add(token);
  for (const { key, kind, at } of words) {
    if (kind === 'sign') tokens.add(cut(key + (signs.get(at + 1) ?? '')));
    else tokens.add(cut(key));
    if (kind !== 'word') continue;
    if (lengthOf(key) >= SUFFIX_OF_MIN) tokens.add(BACKWARDS + cut(backwards(key)));
    // A word that is its own stem is found as a word.
    for (const stem of stems(key)) if (stem !== key) tokens.add(STEM + cut(stem));
  }
  return tokens;
}

/** Of words that follow each other. Signs have their own. */
function* pairsOf(words: readonly Word[]): Generator<string> {
  const ending = new Map<number, Word[]>();
  for (const word of words) {
    for (const before of ending.get(word.at) ?? []) {
      const pair = pairOf(before, word);
      if (pair !== undefined) yield pair;
    }
    const others = ending.get(word.next);
    if (others) others.push(word);
    else ending.set(word.next, [word]);
  }
}

/**
 * The index has no places: without this, it would propose every text with both words for `"one two"`. Few tokens stand
 * for all pairs, so that they add a twelfth to it. FNV-1a (Fowler, Noll and Vo) spreads the pairs over them.
 */
function pairOf(before: Pick<Word, 'key' | 'kind'>, next: Pick<Word, 'key' | 'kind'>): string | undefined {
  if (before.kind === 'sign' && next.kind === 'sign') return undefined;
  const text = `${before.key} ${next.key}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return String.fromCharCode(PAIRS.first + ((hash ^ (hash >>> 15)) & (PAIRS.count - 1)));
}

/** What a text must have for the term to be found in it: all of these. */
export function conditionsOf({ words }: Term, stems: Stems): AnyOf[] {
  return words.flatMap((word, index) => {
    const before = words[index - 1];
    const pair = before && !word.isLoose ? pairOf(before, word) : undefined;
    const own = ownConditionsOf(words, index, stems);
    return pair === undefined ? own : [...own, [{ token: pair }]];
  });
}

function ownConditionsOf(words: Term['words'], index: number, stems: Stems): AnyOf[] {
  const word = words[index];
  if (word === undefined) return [];
  if (word.kind !== 'sign') return [conditionOf(word, stems)];
  const [before, next] = [words[index - 1], words[index + 1]];
  if (next?.kind === 'sign') return [[{ token: cut(word.key + next.key) }]];
  // The pair before has this one.
  return before?.kind === 'sign' ? [] : [[{ prefix: cut(word.key) }]];
}

function conditionOf({ key, isLoose }: Sought, stems: Stems): AnyOf {
  if (!isLoose) return [{ token: cut(key) }];
  const length = lengthOf(key);
  return [
    length >= PREFIX_MIN ? { prefix: cut(key) } : { token: key },
    ...(length >= SUFFIX_MIN ? [{ prefix: BACKWARDS + cut(backwards(key)) }] : []),
    ...stems(key).flatMap((stem) => [{ token: STEM + cut(stem) }, { token: cut(stem) }]),
  ];
}

/** Whether this word of a text is what is looked for. */
export function isFoundAs(word: Word, { key, kind, isLoose }: Sought, stems: Stems): boolean {
  if (word.kind !== kind) return false;
  if (word.key === key) return true;
  if (!isLoose) return false;
  const length = lengthOf(key);
  if (length >= PREFIX_MIN && word.key.startsWith(key)) return true;
  if (length >= SUFFIX_MIN && lengthOf(word.key) >= SUFFIX_OF_MIN && word.key.endsWith(key)) return true;
  const wanted = stems(key);
  return wanted.length > 0 && stems(word.key).some((stem) => wanted.includes(stem));
}

function lengthOf(key: string): number {
  // Two units are one code point at least, so a short key is counted only where it matters.
  return key.length > 2 * SUFFIX_OF_MIN ? key.length : [...key].length;
}

function cut(key: string): string {
  return key.length <= TOKEN_MAX ? key : [...key].slice(0, TOKEN_MAX).join('');
}

function backwards(key: string): string {
  return [...key].reverse().join('');
}
