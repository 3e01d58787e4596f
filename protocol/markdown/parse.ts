/**
 * A message as it is shown. Screens, excerpts, notifications and the announcements to screen readers all read it here,
 * and mentions are looked for in what this takes for plain text: what one shows as code is code for all of them.
 */
import { type Block, type ListMark, parseBlocks } from './blocks.ts';
import { parseInline } from './inline.ts';
import type { Inline } from './inline-tree.ts';

/** A message, ready to be rendered. `Extra`: see `Inline`. */
export type Markdown<Extra = never> = readonly MarkdownBlock<Extra>[];

export type MarkdownBlock<Extra = never> =
  | { readonly kind: 'text'; readonly parts: readonly Inline<Extra>[] }
  | Extract<Block, { kind: 'code' }>
  | { readonly kind: 'quote'; readonly blocks: Markdown<Extra> }
  | { readonly kind: 'list'; readonly mark: ListMark; readonly items: readonly MarkdownItem<Extra>[] };

export interface MarkdownItem<Extra = never> {
  readonly number: number;
  readonly blocks: Markdown<Extra>;
}

/** Parses the Markdown of a message. Any text is valid, and only marks are left out. */
export function parseMarkdown(content: string): Markdown {
  return parseBlocks(content).map(withParts);
}

function withParts(block: Block): MarkdownBlock {
  switch (block.kind) {
    case 'text':
      return { kind: 'text', parts: splitParagraphs(block.text).flatMap(parseInline) };
    case 'code':
      return block;
    case 'quote':
      return { kind: 'quote', blocks: block.blocks.map(withParts) };
    case 'list': {
      const items = block.items.map(({ number, blocks }) => ({ number, blocks: blocks.map(withParts) }));
      return { kind: 'list', mark: block.mark, items };
    }
  }
}

/** Emphasis never spans a blank line. Joined, the paragraphs are the text again. */
function splitParagraphs(text: string): string[] {
  return text.split(/(\n[^\S\n]*\n\s*)/);
}
