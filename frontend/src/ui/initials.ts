const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function first(word: string): string {
  for (const { segment } of graphemes.segment(word)) return segment.toLocaleUpperCase();
  return '';
}

/** One or two initials: of the first and last word, where a name has several. */
export function initials(username: string): string {
  const words = username.split(/[\s._-]+/u).filter((word) => word !== '');
  const last = words.length > 1 ? first(words.at(-1) ?? '') : '';
  return first(words[0] ?? username) + last;
}

/** What stands on a room's tile: the first letter, figure or emoji of its name, else its first character. */
export function tileLetter(name: string): string {
  for (const { segment } of graphemes.segment(name)) {
    if (/[\p{L}\p{N}\p{Emoji_Presentation}\p{Extended_Pictographic}]/u.test(segment)) return first(segment);
  }
  return first(name.trim());
}
