/** The first words of a message, for a list of rooms. */
import { EXCERPT_MAX, EXCERPT_START } from './limits.ts';

/** Markdown that is not text: fences, and the marks at the beginning of a line. */
const LINE_MARKS = /^[ \t]*(?:```.*|~~~.*|#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)/gm;
/** Emphasis, strike-through and code around words. A lone mark, as in `2 * 3` or `snake_case`, stays. */
const PAIRED_MARKS = /(\*\*|__|~~|`)(?=\S)([^\n]*?\S)\1/g;
/** A mention whose name has spaces. */
const QUOTED_NAME = /@"([^"\n]{1,64})"/g;
const LINK = /!?\[([^\]\n]*)\]\([^)\n]*\)/g;

/** Its first characters in one line, without the commonest Markdown. The beginning of the message is enough. */
export function excerptOf(content: string): string {
  const start = content.slice(0, EXCERPT_START);
  const plain = start
    .replace(LINE_MARKS, '')
    .replace(LINK, '$1')
    .replace(PAIRED_MARKS, '$2')
    .replace(QUOTED_NAME, '@$1');
  const line = plain.replace(/\s+/g, ' ').trim();
  // A message of nothing but marks is still better shown than left out, and only a deleted one is empty.
  const shown = cut(line === '' ? start.replace(/\s+/g, ' ').trim() : line);
  return shown === '' && start !== '' ? '…' : shown;
}

/** Counted in code points, so that no character is cut in half. */
function cut(line: string): string {
  const characters = [...line];
  return characters.length <= EXCERPT_MAX ? line : `${characters.slice(0, EXCERPT_MAX - 1).join('')}…`;
}
