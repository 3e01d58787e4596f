/** Cuts a text that is too long for one message into several, where a reader would cut it. */

import { openFence } from '../../../../protocol/markdown/fences.ts';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';

/**
 * Space for a fence that closes a part or opens the next. A longer one, with its language, is repeated as the bare
 * mark.
 */
const FENCE_SPACE = 40;

/** A line, or a piece of one that is too long for a part by itself. */
interface Piece {
  readonly text: string;
  readonly startsLine: boolean;
  /** In code points, with its line break. */
  readonly length: number;
}

/**
 * The parts in order, each a valid message of at most `max` code points. Cuts at blank lines where that leaves no part
 * nearly empty, else between lines, else between words. Code that is cut stays code: its fence is closed and opened
 * again.
 */
export function splitMessage(content: string, max: number): string[] {
  const parts: string[] = [];
  const space = max - FENCE_SPACE - 1;
  let part: Piece[] = [];
  let length = 0;
  for (const piece of content.split('\n').flatMap((line) => piecesOf(line, space - FENCE_SPACE - 1))) {
    if (length + piece.length > space && part.length > 0) {
      const kept = part.slice(0, cutBefore(part, length));
      const fence = openFence(textOf(kept).split('\n'));
      parts.push(fence === null ? textOf(kept) : `${textOf(kept)}\n${fence.mark.slice(0, FENCE_SPACE)}`);
      part = part.slice(kept.length);
      if (fence !== null)
        part.unshift(lineOf(fence.line.length > FENCE_SPACE ? fence.mark.slice(0, FENCE_SPACE) : fence.line));
      length = part.reduce((sum, { length: own }) => sum + own, 0);
    }
    part.push(piece);
    length += piece.length;
  }
  parts.push(textOf(part));
  return parts.map((text) => text.replace(/^\n+|\s+$/g, '')).filter(isMessageContent);
}

/** How many pieces the part keeps: up to its last blank line, when that is in its second half and outside of code. */
function cutBefore(part: readonly Piece[], length: number): number {
  let kept = length;
  for (let index = part.length - 1; index > 0; index--) {
    kept -= part[index]?.length ?? 0;
    if (kept < length / 2) break;
    const isBlank = part[index]?.text.trim() === '';
    if (isBlank && openFence(textOf(part.slice(0, index)).split('\n')) === null) return index;
  }
  return part.length;
}

/** A line in pieces of at most `max` code points, cut after a space where there is one. */
function piecesOf(line: string, max: number): Piece[] {
  const characters = [...line];
  if (characters.length <= max) return [lineOf(line)];
  const pieces: Piece[] = [];
  for (let from = 0; from < characters.length; ) {
    let to = Math.min(from + max, characters.length);
    const space = to < characters.length ? characters.lastIndexOf(' ', to - 1) : -1;
    if (space > from + max / 2) to = space + 1;
    pieces.push({ text: characters.slice(from, to).join(''), startsLine: from === 0, length: to - from + 1 });
    from = to;
  }
  return pieces;
}

function lineOf(text: string): Piece {
  return { text, startsLine: true, length: codePointLength(text) + 1 };
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text, startsLine }, index) => (startsLine && index > 0 ? `\n${text}` : text)).join('');
}
