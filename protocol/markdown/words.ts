/** The words of a message without its marks, as they are shown. */
import type { Inline } from './inline-tree.ts';
import { type Markdown, type MarkdownBlock, parseMarkdown } from './parse.ts';

/** A mention of a name in quotes, which are not shown. */
const QUOTED_NAME = /(?<![\p{L}\p{N}])[@＠]["“”]([^"“”\n]{1,64})["“”]/gu;

/** The words of a message, each block on lines of its own. */
export function wordsOf(content: string): string {
  return blocksWords(parseMarkdown(content));
}

function blocksWords(blocks: Markdown): string {
  return blocks.map(blockWords).join('\n');
}

function blockWords(block: MarkdownBlock): string {
  switch (block.kind) {
    case 'text':
      return partsWords(block.parts);
    case 'code':
      return block.code;
    case 'quote':
      return blocksWords(block.blocks);
    case 'list': {
      const sign = block.mark === 'period' ? '.' : ')';
      const before = (number: number) => (block.mark === 'bullet' ? '' : `${number}${sign} `);
      return block.items.map(({ number, blocks }) => before(number) + blocksWords(blocks)).join('\n');
    }
  }
}

function partsWords(parts: readonly Inline[]): string {
  return parts.map(partWords).join('');
}

function partWords(part: Inline): string {
  switch (part.kind) {
    case 'text':
      return part.text.replace(QUOTED_NAME, '@$1');
    case 'code':
      return part.text;
    case 'link':
      return partsWords(part.children) + (part.host === null ? '' : ` (${part.host})`);
    default:
      return partsWords(part.children);
  }
}
