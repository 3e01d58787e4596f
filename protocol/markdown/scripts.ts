/** Scripts in which words are set without spaces, so that marks and names stand directly beside them. */

const LETTERS =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}\\u30FC\\u3005';

/** A letter of a script that sets no space after a word, or sets an ending behind it. */
export const UNSPACED = new RegExp(`[${LETTERS}]`, 'u');

/** Such a letter, or Chinese or Japanese punctuation, which has its space within. */
export const UNSPACED_OR_WIDE = new RegExp(`[${LETTERS}\\u3000-\\u303F\\uFE30-\\uFE4F\\uFF00-\\uFFEF]`, 'u');

/** The character that ends before a place in a text; empty at its beginning. */
export function characterBefore(text: string, end: number): string {
  const last = text.charAt(end - 1);
  return /[\uDC00-\uDFFF]/.test(last) ? text.slice(end - 2, end) : last;
}

/** The character at a place in a text; empty at its end. */
export function characterAt(text: string, start: number): string {
  const code = text.codePointAt(start);
  return code === undefined ? '' : String.fromCodePoint(code);
}
