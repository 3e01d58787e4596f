/** A hue in degrees. Steps of the golden angle keep neighbouring ids far apart. */
export function avatarHue(userId: number): number {
  return Math.round((userId * 137.508) % 360);
}

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
