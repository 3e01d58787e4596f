/** The words of a message around what was found in it. */
import { wordsOf } from '../../../../protocol/markdown/words.ts';

/** A stretch of a text. */
export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

type Range = readonly [from: number, to: number];

/** Characters for private use mark a hit while its text loses its Markdown: to the parser they are letters. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];
const MARKS = /[\uE000\uE001]/g;

/** Characters that are shown before the first hit, and in all. */
const BEFORE = 70;
const MOST = 420;

/** The text as a message shows it, cut to what is around its first hit. `hits`: in the content. */
export function hitPieces(content: string, hits: readonly Range[]): readonly Piece[] {
  const plain = content.replace(MARKS, '\uFFFD');
  const words = shortened(split(lines(wordsOf(marked(plain, hits)))));
  const isSeen = hits.length === 0 || words.some(({ isHit }) => isHit);
  // What was found is the address of a link, or another part that is not shown.
  return isSeen ? words : shortened(split(lines(marked(plain, hits))));
}

/** The name of a file, with what was found in it. */
export function namePieces(name: string, hits: readonly Range[]): readonly Piece[] {
  return split(marked(name.replace(MARKS, '\uFFFD'), hits));
}

function marked(text: string, hits: readonly Range[]): string {
  let at = 0;
  let result = '';
  for (const [from, to] of hits) {
    if (from < at || to > text.length || from >= to) continue;
    result += text.slice(at, from) + OPEN + text.slice(from, to) + CLOSE;
    at = to;
  }
  return result + text.slice(at);
}

function lines(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

function split(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let isHit = false;
  for (const part of text.split(/([\uE000\uE001])/)) {
    if (part === OPEN || part === CLOSE) isHit = part === OPEN;
    else if (part !== '') pieces.push({ text: part, isHit });
  }
  return pieces;
}

function shortened(pieces: readonly Piece[]): readonly Piece[] {
  const first = pieces.findIndex(({ isHit }) => isHit);
  const [before, ...rest] = pieces;
  const isFar = first === 1 && before !== undefined && before.text.length > 2 * BEFORE;
  return cut(isFar ? [{ text: `…${tail(before.text)}`, isHit: false }, ...rest] : pieces);
}

/** The last words. */
function tail(text: string): string {
  const from = text.length - BEFORE;
  const space = text.slice(from).search(/\s/);
  return text.slice(space < 0 || space > BEFORE / 2 ? from : from + space).replace(/^[\uDC00-\uDFFF]/, '');
}

function cut(pieces: readonly Piece[]): readonly Piece[] {
  let left = MOST;
  const shown: Piece[] = [];
  for (const { text, isHit } of pieces) {
    if (text.length <= left) shown.push({ text, isHit });
    else {
      const end = text.slice(0, left).replace(/[\uD800-\uDBFF]$/, '');
      shown.push({ text: `${end}…`, isHit });
      break;
    }
    left -= text.length;
  }
  return shown;
}
