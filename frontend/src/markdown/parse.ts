import { type Block, type ListMark, parseBlocks } from '../../../protocol/markdown-blocks.ts';
import type { Inline, InlineParser } from './inline.ts';

/** A message, ready to be rendered. */
export type Markdown = readonly MarkdownBlock[];

export type MarkdownBlock =
  | { readonly kind: 'text'; readonly parts: readonly Inline[] }
  | { readonly kind: 'code'; readonly code: string; readonly language: string | null }
  | { readonly kind: 'quote'; readonly blocks: Markdown }
  | { readonly kind: 'list'; readonly mark: ListMark; readonly items: readonly MarkdownItem[] };

export interface MarkdownItem {
  readonly number: number;
  readonly blocks: Markdown;
}

/** A few screens of messages, so that scrolling back or a confirmation does not parse again. */
const CACHE_SIZE = 500;
const cache = new Map<string, Markdown>();

/**
 * Parses the Markdown of a message. Any text is valid, and only marks are left out. Without an inline parser, lines are
 * shown as typed.
 */
export function parseMarkdown(content: string, parseInline: InlineParser | null): Markdown {
  if (parseInline === null) return read(content, (text) => [{ kind: 'text', text }]);
  const known = cache.get(content);
  if (known !== undefined) return known;
  const parsed = read(content, parseInline);
  const [oldest] = cache.keys();
  if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  cache.set(content, parsed);
  return parsed;
}

function read(content: string, parseInline: InlineParser): Markdown {
  return parseBlocks(content).map((block) => withParts(block, parseInline));
}

function withParts(block: Block, parseInline: InlineParser): MarkdownBlock {
  const within = (blocks: readonly Block[]) => blocks.map((inner) => withParts(inner, parseInline));
  switch (block.kind) {
    case 'text':
      return {
        kind: 'text',
        parts: splitParagraphs(block.text).flatMap((paragraph) => parseInline(paragraph)),
      };
    case 'code':
      return block;
    case 'quote':
      return { kind: 'quote', blocks: within(block.blocks) };
    case 'list': {
      const items = block.items.map(({ number, blocks }) => ({ number, blocks: within(blocks) }));
      return { kind: 'list', mark: block.mark, items };
    }
  }
}

/** Emphasis never spans a blank line. Joined, the paragraphs are the text again. */
function splitParagraphs(text: string): string[] {
  return text.split(/(\n[^\S\n]*\n\s*)/);
}
