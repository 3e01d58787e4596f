/** Shows in tests what a message became, and which words of it are visible. */
import type { Inline } from '../markdown/inline-tree.ts';
import type { Markdown, MarkdownBlock } from '../markdown/parse.ts';

/** What stands in the place of a text. */
interface Stand {
  readonly kind: 'element';
  readonly text: string;
  readonly element: { readonly key: string | null };
}

/** `<quote><strong>a</strong></quote>` */
export function outline(blocks: Markdown<Stand>): string {
  return blocks.map(blockOutline).join('');
}

function blockOutline(block: MarkdownBlock<Stand>): string {
  switch (block.kind) {
    case 'text':
      return block.parts.map(inlineOutline).join('');
    case 'code':
      return `<pre${block.language === null ? '' : ` ${block.language}`}>${block.code}</pre>`;
    case 'quote':
      return `<quote>${outline(block.blocks)}</quote>`;
    case 'list': {
      const tag = block.mark === 'bullet' ? 'ul' : 'ol';
      const items = block.items.map((item) => {
        const number = block.mark === 'bullet' ? '' : ` ${item.number}`;
        return `<li${number}>${outline(item.blocks)}</li>`;
      });
      return `<${tag}${block.mark === 'parenthesis' ? ' )' : ''}>${items.join('')}</${tag}>`;
    }
  }
}

function inlineOutline(part: Inline<Stand>): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'element':
      return `<${part.element.key}>${part.text}</>`;
    case 'code':
      return `<code>${part.text}</code>`;
    case 'link':
      return `<a ${part.href}>${part.children.map(inlineOutline).join('')}${hostText(part)}</a>`;
    default:
      return `<${part.kind}>${part.children.map(inlineOutline).join('')}</${part.kind}>`;
  }
}

/** Every link's destination. */
export function destinations(blocks: Markdown): string[] {
  return everyInline(blocks).flatMap((part) => (part.kind === 'link' ? [part.href] : []));
}

/** All inline parts, from the outside in. */
function everyInline(blocks: Markdown): Inline[] {
  const withInner = (part: Inline): Inline[] =>
    'children' in part ? [part, ...part.children.flatMap(withInner)] : [part];
  return blocks.flatMap((block) => [
    ...(block.kind === 'text' ? block.parts.flatMap(withInner) : []),
    ...innerBlocks(block).flatMap(everyInline),
  ]);
}

function innerBlocks(block: MarkdownBlock): Markdown[] {
  if (block.kind === 'quote') return [block.blocks];
  return block.kind === 'list' ? block.items.map((item) => item.blocks) : [];
}

/** The visible text, with the numbers of lists and the names of languages. */
export function visibleText(blocks: Markdown): string {
  return blocks.map(blockText).join('');
}

function blockText(block: MarkdownBlock): string {
  switch (block.kind) {
    case 'text':
      return block.parts.map(inlineText).join('');
    case 'code':
      return `${block.language ?? ''}${block.code}`;
    case 'quote':
      return visibleText(block.blocks);
    case 'list': {
      const number = (typed: number) => (block.mark === 'bullet' ? '' : String(typed));
      return block.items.map((item) => number(item.number) + visibleText(item.blocks)).join('');
    }
  }
}

function inlineText(part: Inline): string {
  return 'children' in part ? part.children.map(inlineText).join('') + hostText(part) : part.text;
}

function hostText(part: Inline<Stand>): string {
  return part.kind === 'link' && part.host !== null ? ` (${part.host})` : '';
}

/** How deep quotes, lists and emphasis are nested. */
export function depthOf(blocks: Markdown): number {
  const ofInline = (part: Inline): number =>
    'children' in part ? 1 + Math.max(0, ...part.children.map(ofInline)) : 0;
  const depths = blocks.map((block) =>
    block.kind === 'text'
      ? Math.max(0, ...block.parts.map(ofInline))
      : 1 + Math.max(0, ...innerBlocks(block).map(depthOf)),
  );
  return Math.max(0, ...depths);
}
