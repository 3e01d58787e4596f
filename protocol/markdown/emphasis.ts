/**
 * Emphasis and strike-through within a line, by the rules of CommonMark, in linear time. Two rules are those of a chat:
 *
 * - A star after a Latin letter or a digit multiplies: `2*3*4`.
 * - Beside Chinese, Japanese or Korean, punctuation does not keep a mark from opening or closing: `**注意：**请看` is
 *   strong. CommonMark asks for a space there, which these scripts do not set.
 */
import { characterAt, characterBefore, UNSPACED_OR_WIDE } from './scripts.ts';

export type EmphasisKind = 'strong' | 'em' | 'del';

/** Marks of one kind beside each other, such as `***`. */
export interface MarkRun {
  readonly character: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** The marks that neither close nor open anything: they are text. */
  left: number;
  /** What it closes, in the order of the text, and then what it opens, the innermost first. Null: nothing. */
  closes: EmphasisKind[] | null;
  opens: EmphasisKind[] | null;
}

/** What stands beside a run of marks. `word`: a Latin letter or a digit. */
type Side = 'space' | 'punctuation' | 'word' | 'letter';

/** The run of marks between two places of the text. */
export function markRun(text: string, start: number, end: number): MarkRun {
  const character = text.charAt(start);
  const length = end - start;
  const [before, after] = [characterBefore(text, start), characterAt(text, end)];
  const [left, right] = [sideOf(before), sideOf(after)];
  // No space is set here, so that punctuation says nothing about the mark.
  const isWide = isWideCharacter(before) || isWideCharacter(after);
  // "Flanking" of CommonMark: beside a word, or on the word's side of its punctuation.
  const isLeft = isBeside(right, left, isWide);
  const isRight = isBeside(left, right, isWide);
  const isTilde = character === '~';
  // One tilde means "about", and three are a drawing.
  const isMark = !isTilde || length === 2;
  const mayOpen = character !== '_' || !isRight || left === 'punctuation';
  const mayClose = character !== '_' || !isLeft || right === 'punctuation';
  return {
    character,
    length,
    canOpen: isMark && isLeft && mayOpen && (isTilde || left !== 'word'),
    canClose: isMark && isRight && mayClose,
    left: length,
    closes: null,
    opens: null,
  };
}

function isBeside(inner: Side, outer: Side, isWide: boolean): boolean {
  if (inner === 'space') return false;
  return inner !== 'punctuation' || outer === 'space' || outer === 'punctuation' || isWide;
}

/** Chinese, Japanese or Korean. */
function isWideCharacter(character: string): boolean {
  return character > '~' && UNSPACED_OR_WIDE.test(character);
}

function sideOf(character: string): Side {
  return ASCII[character.charCodeAt(0)] ?? classify(character);
}

function classify(character: string): Side {
  if (/[A-Za-z0-9]/.test(character)) return 'word';
  if (character === '' || /\s/.test(character)) return 'space';
  return /[!-~\p{P}\p{S}]/u.test(character) ? 'punctuation' : 'letter';
}

/** The sides of most texts, ready: a message may have thousands of marks. */
const ASCII: readonly Side[] = Array.from({ length: 128 }, (_, code) => classify(String.fromCharCode(code)));

/**
 * Pairs the runs from `from` on. Linear: what was searched in vain for one kind of closing run is not searched again for
 * the same kind.
 */
export function pairRuns(runs: readonly MarkRun[], from: number): void {
  const searched = new Map<number, number>();
  const open: { readonly run: MarkRun; readonly place: number }[] = [];
  for (let place = from; place < runs.length; place++) {
    const run = runs[place];
    if (run === undefined) break;
    const kind = run.character.charCodeAt(0) * 6 + (run.length % 3) * 2 + Number(run.canOpen);
    while (run.canClose && run.left > 0) {
      const least = searched.get(kind) ?? from;
      let at = open.length - 1;
      while (at >= 0 && (open[at]?.place ?? -1) >= least && !matches(open[at]?.run, run)) at--;
      const opener = open[at];
      if (opener === undefined || opener.place < least) {
        searched.set(kind, place);
        break;
      }
      // Marks between the two stay text: emphasis never crosses.
      open.length = at + 1;
      const size = opener.run.left >= 2 && run.left >= 2 ? 2 : 1;
      const emphasis = run.character === '~' ? 'del' : size === 2 ? 'strong' : 'em';
      opener.run.opens ??= [];
      opener.run.opens.push(emphasis);
      run.closes ??= [];
      run.closes.push(emphasis);
      opener.run.left -= size;
      run.left -= size;
      if (opener.run.left === 0) open.pop();
    }
    if (run.canOpen && run.left > 0) open.push({ run, place });
  }
}

/** CommonMark's rule of three keeps `*a**b*` one emphasis. */
function matches(opener: MarkRun | undefined, closer: MarkRun): boolean {
  if (opener?.character !== closer.character) return false;
  const isOneSided = !opener.canClose && !closer.canOpen;
  return (
    isOneSided ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}
