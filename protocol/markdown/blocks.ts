/**
 * Cuts a message into its blocks: text, quotes, lists and fenced code. It works by lines, and follows what people mean
 * in a chat rather than in a document. A line without its own `>` or `-` ends the quote or list, so that a reply never
 * becomes part of the quote. Everything else is text, with every space and blank line.
 */

import { closes, FENCE } from './fences.ts';

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  /** `info`: what stands behind the fence, of which the language is the first word. */
  | { readonly kind: 'code'; readonly code: string; readonly language: string | null; readonly info: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly mark: ListMark; readonly items: readonly ListItem[] };

/** The mark before an item: a bullet, `1.` or `1)`. */
export type ListMark = 'bullet' | 'period' | 'parenthesis';

export interface ListItem {
  /** The number that was typed; 0 beside a bullet. */
  readonly number: number;
  readonly blocks: readonly Block[];
}

/** Quotes and lists nested deeper than this are shown as typed. */
export const MAX_DEPTH = 8;

/** The language of an info: `js`, `{.js}`, `rust,ignore`. */
const LANGUAGE = /^(?:\{\s*\.)?([\w+#.-]+)(?![\w+#.=-])/;
/** Followed by a space or by words; `>:(` is a face. */
const QUOTE = /^ {0,3}>(?=[ \t>\p{L}\p{N}"'“*`[(]|$)/u;
const ITEM = /^([ \t]*)(?:([-+*])|(0|[1-9]\d{0,8})([.)]))[ \t]+(?=\S)/;
/** `---`, `* * *`: a horizontal rule in a document, not a list. */
const RULE = /^[ \t]*([-*])(?:[ \t]*\1){2,}[ \t]*$/;
/** A tab reaches to the next column that is a multiple of this. */
const TAB_WIDTH = 4;

/** The result of a reader: the block that it took from the lines, and where that ended. */
type Taken = { readonly block: Block; readonly end: number } | null;

export function parseBlocks(content: string): readonly Block[] {
  return readBlocks(content.replace(/\r\n?/g, '\n').split('\n'), 0);
}

function readBlocks(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  let text: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const taken =
      readCode(lines, at) ??
      (depth < MAX_DEPTH ? (readQuote(lines, at, depth) ?? readList(lines, at, depth, text.at(-1))) : null);
    if (taken === null) {
      text.push(lines[at] ?? '');
      at += 1;
      continue;
    }
    at = taken.end;
    if (taken.block.kind === 'text') {
      text.push(taken.block.text);
      continue;
    }
    pushText(blocks, text, true);
    text = [];
    blocks.push(taken.block);
  }
  pushText(blocks, text, false);
  return blocks;
}

/** Drops blank lines beside another block, as blocks have space between them anyway. */
function pushText(blocks: Block[], lines: readonly string[], blockFollows: boolean): void {
  let start = 0;
  let end = lines.length;
  if (blocks.length > 0) while (start < end && isBlank(lines[start])) start++;
  if (blocks.length > 0 || blockFollows) while (end > start && isBlank(lines[end - 1])) end--;
  if (end > start) blocks.push({ kind: 'text', text: lines.slice(start, end).join('\n') });
}

function readCode(lines: readonly string[], at: number): Taken {
  const [, fence = '', info = ''] = FENCE.exec(lines[at] ?? '') ?? [];
  if (fence === '') return null;
  let closing = at + 1;
  while (closing < lines.length && !closes(lines[closing] ?? '', fence)) closing++;
  const end = Math.min(closing + 1, lines.length);
  const code = lines.slice(at + 1, closing);
  // Fences around nothing are shown as typed.
  if (code.every(isBlank)) return { block: { kind: 'text', text: lines.slice(at, end).join('\n') }, end };
  const language = LANGUAGE.exec(info)?.[1] ?? null;
  return { block: { kind: 'code', code: code.join('\n'), language, info }, end };
}

function readQuote(lines: readonly string[], at: number, depth: number): Taken {
  let end = at;
  while (QUOTE.test(lines[end] ?? '')) end++;
  const quoted = lines.slice(at, end);
  if (end === at) return null;
  if (!quoted.some((line) => /[^>\s]/.test(line))) {
    return { block: { kind: 'text', text: quoted.join('\n') }, end };
  }
  const inner = quoted.map((line) => line.replace(/^ *> ?/, ''));
  return { block: { kind: 'quote', blocks: readBlocks(inner, depth + 1) }, end };
}

function readList(lines: readonly string[], at: number, depth: number, before: string | undefined): Taken {
  const first = itemAt(lines[at]);
  if (first === null) return null;
  // "It was in / 1986. A good year": within a paragraph only a 1 begins a list.
  if (first.mark !== 'bullet' && first.number !== 1 && !isBlank(before)) return null;
  const items: ListItem[] = [];
  let end = at;
  for (;;) {
    const item = itemAt(lines[end]);
    if (item === null || item.mark !== first.mark || item.indent > first.indent + 1) break;
    const next = itemEnd(lines, end + 1, item.indent);
    const own = lines.slice(end, next.own);
    items.push({ number: item.number, blocks: readBlocks(dedent(own, item), depth + 1) });
    end = next.own;
    // Blank lines between two items do not separate them.
    if (itemAt(lines[next.blank]) === null) break;
    end = next.blank;
  }
  while (isBlank(lines[end - 1])) end--;
  return { block: { kind: 'list', mark: first.mark, items }, end };
}

/** Lines indented further than the mark belong to the item, with the blank lines between them. */
function itemEnd(lines: readonly string[], from: number, indent: number): { own: number; blank: number } {
  let own = from;
  let blank = from;
  for (; blank < lines.length; blank++) {
    const line = lines[blank] ?? '';
    if (isBlank(line)) continue;
    if (indentOf(line) < indent + 2) break;
    own = blank + 1;
  }
  return { own, blank };
}

function itemAt(line: string | undefined) {
  if (line === undefined || RULE.test(line)) return null;
  const match = ITEM.exec(line);
  if (match === null) return null;
  const [all, space = '', bullet, number, delimiter] = match;
  const mark: ListMark = bullet !== undefined ? 'bullet' : delimiter === ')' ? 'parenthesis' : 'period';
  const { length } = all;
  return { indent: columns(space), width: columns(all), length, mark, number: Number(number ?? 0) };
}

/** The item's lines without its mark and indent. */
function dedent(
  [first = '', ...rest]: readonly string[],
  { width, length }: { width: number; length: number },
): string[] {
  return [first.slice(length), ...rest.map((line) => withoutIndent(line, width))];
}

/** Removes this number of columns of white space from the start, and the rest of a tab that reaches over them. */
function withoutIndent(line: string, width: number): string {
  let column = 0;
  let at = 0;
  for (; column < width && /[ \t]/.test(line.charAt(at)); at++) column = nextColumn(column, line.charAt(at));
  return line.slice(at);
}

function indentOf(line: string): number {
  return columns(/^[ \t]*/.exec(line)?.[0] ?? '');
}

function columns(text: string): number {
  let column = 0;
  for (const character of text) column = nextColumn(column, character);
  return column;
}

function nextColumn(column: number, character: string): number {
  return character === '\t' ? column + TAB_WIDTH - (column % TAB_WIDTH) : column + 1;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
