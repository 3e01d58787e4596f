/** The web addresses that a message links to. */
import { LINK_MAX, LINKS_PREVIEWED } from '../limits.ts';
import type { Inline } from './inline-tree.ts';
import { type MarkdownBlock, parseMarkdown } from './parse.ts';

/** What a link in a text begins with; a text without it needs no parsing. */
const MAY_LINK = /https?:\/\/|www\./i;

/**
 * The first web addresses that a text leads to, none of them twice. What is code is no link, and what is quoted was said
 * elsewhere. An address that differs from another one only behind its `#` is the same page.
 */
export function linksOf(content: string): string[] {
  if (!MAY_LINK.test(content)) return [];
  const links = new Map<string, string>();
  for (const href of hrefsIn(parseMarkdown(content))) {
    const page = pageOf(href);
    if (/^https?:/i.test(href) && href.length <= LINK_MAX && !links.has(page)) links.set(page, href);
    if (links.size === LINKS_PREVIEWED) break;
  }
  return [...links.values()];
}

/** An address without what leads to a part of the page. */
export function pageOf(href: string): string {
  return href.replace(/#.*$/s, '');
}

function* hrefsIn(blocks: readonly MarkdownBlock[]): Generator<string> {
  for (const block of blocks) {
    if (block.kind === 'text') yield* hrefsOf(block.parts);
    else if (block.kind === 'list') for (const item of block.items) yield* hrefsIn(item.blocks);
  }
}

function* hrefsOf(parts: readonly Inline[]): Generator<string> {
  for (const part of parts) {
    if (part.kind === 'link') yield part.href;
    else if ('children' in part) yield* hrefsOf(part.children);
  }
}
