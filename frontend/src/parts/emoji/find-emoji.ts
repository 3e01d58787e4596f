import type { Emoji } from './emoji-data.ts';

/**
 * The emoji whose names have what was typed, the best first: those that are called so, that begin so, of which a word
 * begins so; within each by shortcode, by label, by a tag.
 */
export function findEmoji(all: readonly Emoji[], typed: string, limit = Number.POSITIVE_INFINITY): Emoji[] {
  const query = typed.toLowerCase().trim().replaceAll(' ', '_');
  if (query === '') return all.slice(0, limit);
  const ranked: { readonly emoji: Emoji; readonly rank: number }[] = [];
  for (const emoji of all) {
    const rank = rankOf(emoji, query);
    if (rank !== null) ranked.push({ emoji, rank });
  }
  // Sorting is stable: emoji of one rank stay in the order of Unicode.
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ emoji }) => emoji);
}

/** The emoji that has exactly this shortcode. */
export function emojiByCode(all: readonly Emoji[], code: string): Emoji | undefined {
  return all.find(({ codes }) => codes.includes(code.toLowerCase()));
}

const FIELDS = 3;
const TAGS = 2;

function rankOf({ codes, label, tags }: Emoji, query: string): number | null {
  let best: number | null = null;
  for (const [field, names] of [codes, [label], tags].entries()) {
    for (const name of names) {
      const match = matchOf(name.toLowerCase().replaceAll(' ', '_'), query);
      if (match === null) continue;
      // Being called so counts in a name alone: a flag has the letters of its country as a tag.
      const place = (field === TAGS ? Math.max(match, 1) : match) * FIELDS + field;
      // Of two that begin so, the shorter is nearer to what was typed.
      const rank = place + Math.min(name.length, 99) / 100;
      if (best === null || rank < best) best = rank;
    }
  }
  return best;
}

/** 0: the same; 1: begins so; 2: a word begins so. Chinese has no spaces, so there any place counts as a word's. */
function matchOf(name: string, query: string): number | null {
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (name.includes(`_${query}`) || name.includes(`-${query}`)) return 2;
  return /\p{sc=Han}/u.test(query) && name.includes(query) ? 2 : null;
}
