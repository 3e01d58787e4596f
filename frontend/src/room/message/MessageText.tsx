import { isFewEmoji } from '../../markdown/emoji.ts';
import { MarkdownView } from '../../markdown/MarkdownView.tsx';
import { parseMarkdown } from '../../markdown/parse.ts';
import { useInlineParser } from '../../markdown/use-inline-parser.ts';
import styles from './MessageText.module.css';

/** The content of a message: its Markdown as elements, never as HTML. */
export function MessageText({ content }: { readonly content: string }) {
  const parseInline = useInlineParser();
  return (
    <div className={styles.content} data-large={isFewEmoji(content)} data-testid="message-content">
      <MarkdownView blocks={parseMarkdown(content, parseInline)} />
    </div>
  );
}
