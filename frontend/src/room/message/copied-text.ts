/** A selection of messages as text: what was written, without buttons, labels and counts. */

export interface CopiedMessage {
  readonly author: string;
  readonly time: string;
  readonly text: string;
}

/** One message is its text alone. Of several, each begins with a line that says who wrote it, and when. */
export function joinMessages(messages: readonly CopiedMessage[]): string {
  const [first] = messages;
  if (first !== undefined && messages.length === 1) return first.text;
  return messages.map(({ author, time, text }) => `${author} ${time}\n${text}`).join('\n\n');
}

/** The text of the part of an element that is selected, with the marks of its lists. */
export function textWithin(element: Element, range: Range): string {
  const lines = new Lines();
  write(element, range, lines);
  return lines.text();
}

const BLOCKS = new Set(['P', 'DIV', 'PRE', 'UL', 'OL', 'LI', 'BLOCKQUOTE', 'FIGURE', 'H1', 'H2', 'H3']);
/** What belongs to the page, not to the text. */
const NOT_TEXT = 'button, figcaption, [aria-hidden=true], .visually-hidden';

function write(node: Node, range: Range, lines: Lines): void {
  if (!range.intersectsNode(node)) return;
  if (node instanceof Text) return lines.add(part(node, range));
  if (!(node instanceof Element) || node.matches(NOT_TEXT)) return;
  if (node.tagName === 'BR') return lines.end();
  if (node instanceof HTMLImageElement) return lines.add(node.alt);
  const isBlock = BLOCKS.has(node.tagName);
  if (isBlock) lines.begin(node instanceof HTMLLIElement ? markOf(node) : '');
  for (const child of node.childNodes) write(child, range, lines);
  if (isBlock) lines.begin('');
}

/** The text of a node between the ends of the selection. */
function part(node: Text, { startContainer, startOffset, endContainer, endOffset }: Range): string {
  const from = node === startContainer ? startOffset : 0;
  return node.data.slice(from, node === endContainer ? endOffset : undefined);
}

/** What stands before an item, as far in as its list is nested. */
function markOf(item: HTMLLIElement): string {
  let depth = -1;
  for (let list = item.closest('ul, ol'); list !== null; list = list.parentElement?.closest('ul, ol') ?? null)
    if (list.closest('[data-testid=message-content]') !== null) depth += 1;
  const mark = item.parentElement?.tagName === 'OL' ? `${item.value}. ` : '- ';
  return '  '.repeat(Math.max(0, depth)) + mark;
}

/** Text that is written line by line. Blocks begin new lines, and never leave empty ones. */
class Lines {
  readonly #lines: string[] = [];
  /** Null: the next text begins a line. */
  #line: string | null = null;
  #mark = '';

  add(text: string): void {
    if (text === '') return;
    this.#line = (this.#line ?? this.#mark) + text;
    this.#mark = '';
  }

  begin(mark: string): void {
    if (this.#line !== null) this.end();
    if (mark !== '') this.#mark = mark;
  }

  end(): void {
    this.#lines.push(this.#line ?? '');
    this.#line = null;
  }

  text(): string {
    const all = this.#line === null ? this.#lines : [...this.#lines, this.#line];
    return all.join('\n').replace(/\n+$/, '');
  }
}
