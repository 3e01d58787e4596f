/** The parts of a line, one within the other, made of the pieces that stand beside each other in its text. */
import type { EmphasisKind, MarkRun } from './emphasis.ts';

/** A part of a line. `Extra`: what takes the place of a text later. */
export type Inline<Extra = never> =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: EmphasisKind; readonly children: readonly Inline<Extra>[] }
  | InlineLink<Extra>
  | Extra;

interface InlineLink<Extra> {
  readonly kind: 'link';
  readonly href: string;
  /** The host that it leads to, shown after a label that looks like another host. */
  readonly host: string | null;
  /** The words that the author put beside the address. */
  readonly title: string;
  readonly children: readonly Inline<Extra>[];
}

/** What was read: a part, or marks that may begin or end emphasis. */
export type Piece = Inline | MarkRun;

/** Emphasis nested deeper than this is shown as typed. */
const MAX_DEPTH = 6;

/** Emphasis that is open. Nested too deeply it is not shown, and its parts are those of the one around it. */
interface Frame {
  readonly isShown: boolean;
  readonly parts: Inline[];
}

/** The pieces in order, those between two marks as one. */
export function toTree(pieces: readonly Piece[]): readonly Inline[] {
  const root: Frame = { isShown: true, parts: [] };
  const frames: Frame[] = [];
  let innermost = root;
  for (const piece of pieces) {
    if ('kind' in piece) {
      add(innermost.parts, piece);
      continue;
    }
    const { character, closes, opens, left } = piece;
    for (const kind of closes ?? []) {
      const { isShown, parts } = innermost;
      innermost = frames.pop() ?? root;
      if (isShown) innermost.parts.push({ kind, children: parts });
      else addText(innermost.parts, character.repeat(sizeOf(kind)));
    }
    if (left > 0) addText(innermost.parts, character.repeat(left));
    for (let at = (opens?.length ?? 0) - 1; at >= 0; at--) {
      const isShown = frames.length < MAX_DEPTH;
      if (!isShown) addText(innermost.parts, character.repeat(sizeOf(opens?.[at] ?? 'em')));
      frames.push(innermost);
      innermost = { isShown, parts: isShown ? [] : innermost.parts };
    }
  }
  return root.parts;
}

function add(parts: Inline[], part: Inline): void {
  if (part.kind === 'text') addText(parts, part.text);
  else parts.push(part);
}

/** Texts beside each other are one. */
function addText(parts: Inline[], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + text };
  else parts.push({ kind: 'text', text });
}

/** The number of its marks. */
function sizeOf(kind: EmphasisKind): number {
  return kind === 'em' ? 1 : 2;
}

/** A link has no links in it. */
export function withoutLinks(part: Inline): readonly Inline[] {
  if (part.kind === 'link') return part.children;
  return 'children' in part ? [{ ...part, children: part.children.flatMap(withoutLinks) }] : [part];
}
