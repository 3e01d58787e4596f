/** What a stranger's page says, as text that may stand beside people's words. */

/**
 * What is invisible, turns the direction of what follows, or belongs to no text: controls, formats, what is not
 * assigned, tags, and the blank glyphs that no property lists. Joiners inside emoji and words stay.
 */
const HIDDEN =
  /(?!\u200C|\u200D|\uFE0F)[\p{C}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFD\u{13430}-\u{13442}\u{16FE4}\u{1D159}]/gu;
/** A joiner that joins nothing. */
const LONE_JOINERS =
  /(?<!\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)(?:\u200C|\u200D)+|(?:\u200C|\u200D)+(?=\s|$)/gu;
/** More marks than any language puts on a letter: they cover the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** White space, and controls: between two words they are a space. */
const SPACES = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Of a longer text the beginning is looked at, in UTF-16 units for each character that is shown. */
const LOOKED_AT = 8;

/** One line of at most so many characters; empty when there is nothing to see. What it has returned stays as it is. */
export function shownText(raw: string, max: number): string {
  const line = raw
    .slice(0, max * LOOKED_AT)
    .toWellFormed()
    .replace(SPACES, ' ')
    .replace(HIDDEN, '')
    .replace(LONE_JOINERS, '')
    .normalize('NFC')
    .replace(PILED_MARKS, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...line];
  if (characters.length <= max) return line;
  const start = characters.slice(0, max - 1).join('');
  return `${start.trimEnd()}…`;
}
