import { createElement } from 'react';
import type { ListMark } from '../../../../protocol/markdown/blocks.ts';
import type { Inline } from '../../../../protocol/markdown/inline-tree.ts';
import type { Markdown, MarkdownBlock, MarkdownItem } from '../../../../protocol/markdown/parse.ts';
import { EmojiText } from '../emoji/EmojiText.tsx';
import { CodeBlock } from './CodeBlock.tsx';
import styles from './Markdown.module.css';
import type { MarkedElement } from './mark-mentions.ts';
import { openHere } from './own-links.ts';

interface MarkdownViewProps {
  readonly blocks: Markdown<MarkedElement>;
  /** Blocks within a quote or a list take the direction of the whole. */
  readonly inner?: boolean;
}

/** A parsed message as elements. Its content only ever becomes text nodes and the addresses of links. */
export function MarkdownView({ blocks, inner = false }: MarkdownViewProps) {
  const direction = inner ? undefined : 'auto';
  return blocks.map((block, index) => <BlockView key={keyOf(index)} block={block} direction={direction} />);
}

interface BlockViewProps {
  readonly block: MarkdownBlock<MarkedElement>;
  readonly direction: 'auto' | undefined;
}

function BlockView({ block, direction }: BlockViewProps) {
  switch (block.kind) {
    case 'text':
      return (
        <p className={`${styles.block} ${styles.text}`} dir={direction}>
          <InlineView parts={block.parts} />
        </p>
      );
    case 'code':
      return (
        <div className={styles.block}>
          <CodeBlock code={block.code} language={block.language} info={block.info} />
        </div>
      );
    case 'quote':
      return (
        <blockquote className={`${styles.block} ${styles.quote}`} dir={direction}>
          <MarkdownView blocks={block.blocks} inner />
        </blockquote>
      );
    case 'list':
      return <ListView mark={block.mark} items={block.items} direction={direction} />;
  }
}

interface ListViewProps {
  readonly mark: ListMark;
  readonly items: readonly MarkdownItem<MarkedElement>[];
  readonly direction: 'auto' | undefined;
}

function ListView({ mark, items, direction }: ListViewProps) {
  const classes = `${styles.block} ${styles.list}`;
  const ordered = mark !== 'bullet';
  const digits = Math.max(...items.map(({ number }) => String(number).length));
  const entries = items.map((item, index) => (
    // Keeps the author's numbers, so that "2. and 4. are done" stays true.
    <li key={keyOf(index)} value={ordered ? item.number : undefined}>
      <MarkdownView blocks={item.blocks} inner />
    </li>
  ));
  if (!ordered) {
    return (
      <ul className={classes} dir={direction}>
        {entries}
      </ul>
    );
  }
  return (
    <ol
      className={classes}
      dir={direction}
      data-mark={mark}
      style={{ paddingInlineStart: `${digits + 2}ch` }}
    >
      {entries}
    </ol>
  );
}

interface InlineViewProps {
  readonly parts: readonly Inline<MarkedElement>[];
  /** An address has no emoji in it. */
  readonly isLink?: boolean;
}

function InlineView({ parts, isLink = false }: InlineViewProps) {
  return parts.map((part, index) => {
    switch (part.kind) {
      case 'text':
        return isLink || !part.text.includes(':') ? (
          part.text
        ) : (
          <EmojiText key={keyOf(index)} text={part.text} />
        );
      case 'element':
        return part.element;
      case 'code':
        return (
          <code key={keyOf(index)} className={styles.inlineCode}>
            {part.text}
          </code>
        );
      case 'link':
        return (
          <a
            key={keyOf(index)}
            href={part.href}
            // The address comes first: a title may be another one.
            title={part.title === '' ? part.href : `${part.href}\n${part.title}`}
            target="_blank"
            onClick={openHere}
            rel="noopener noreferrer nofollow"
          >
            <InlineView parts={part.children} isLink />
            {part.host !== null && (
              // Part of the link's text: it is read out and copied with the label.
              <>
                {' '}
                <span className={styles.host} dir="ltr">
                  ({part.host})
                </span>
              </>
            )}
          </a>
        );
      default:
        return createElement(
          part.kind,
          { key: keyOf(index) },
          <InlineView parts={part.children} isLink={isLink} />,
        );
    }
  });
}

/** A message never changes, so the index of a part is its key. */
function keyOf(index: number): string {
  return String(index);
}
