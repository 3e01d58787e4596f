const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function first(word: string): string {
  for (const { segment } of graphemes.segment(word)) return segment.toLocaleUpperCase();
  return '';
}

/** The initials of the first word and, where a name has several, of the last; else `last` is empty. */
export function initials(username: string): { readonly first: string; readonly last: string } {
  const words = username.split(/[\s._-]+/u).filter((word) => word !== '');
  const last = words.length > 1 ? first(words.at(-1) ?? '') : '';
  return { first: first(words[0] ?? username), last };
}

/** What stands on a room's door: the first letter, figure or emoji of its name, else its first character. */
export function tileLetter(name: string): string {
  for (const { segment } of graphemes.segment(name)) {
    if (/[\p{L}\p{N}\p{Emoji_Presentation}\p{Extended_Pictographic}]/u.test(segment)) return first(segment);
  }
  return first(name.trim());
}
