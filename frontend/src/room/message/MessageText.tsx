import type { Message } from '../../../../client/index.ts';
import { isFewEmoji } from '../../parts/markdown/emoji.ts';
import { MarkdownView } from '../../parts/markdown/MarkdownView.tsx';
import { markdownOf } from '../../parts/markdown/parse.ts';
import { useMessageParts } from '../../parts/markdown/use-message-parts.ts';
import styles from './MessageText.module.css';

interface MessageTextProps {
  readonly content: string;
  /** Absent while the server has not confirmed it. */
  readonly message?: Message | undefined;
}

/** The content of a message: its Markdown as elements, never as HTML. */
export function MessageText({ content, message }: MessageTextProps) {
  const parts = useMessageParts();
  const blocks = markdownOf(content, parts?.parseMarkdown);
  const MentionedView = message?.mentions || message?.mention_room ? parts?.MentionedView : undefined;
  return (
    <div className={styles.content} data-large={isFewEmoji(content)} data-testid="message-content">
      {MentionedView && message ? (
        <MentionedView blocks={blocks} message={message} />
      ) : (
        <MarkdownView blocks={blocks} />
      )}
    </div>
  );
}
