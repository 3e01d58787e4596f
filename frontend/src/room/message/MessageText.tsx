import type { Message } from '../../../../client/index.ts';
import { isFewEmoji } from '../../parts/emoji/few-emoji.ts';
import markdown from '../../parts/markdown/Markdown.module.css';
import { markdownOf } from '../../parts/markdown/parse.ts';
import { useMessageParts } from '../../parts/markdown/use-message-parts.ts';
import styles from './MessageText.module.css';

interface MessageTextProps {
  readonly content: string;
  /** Absent while the server has not confirmed it. */
  readonly message?: Message | undefined;
}

/** The content of a message: its Markdown as elements, never as HTML. Until the parser has loaded it is as typed. */
export function MessageText({ content, message }: MessageTextProps) {
  const parts = useMessageParts();
  return (
    <div className={styles.content} data-large={isFewEmoji(content)} data-testid="message-content">
      {parts === null ? (
        <p className={`${markdown.block} ${markdown.text}`} dir="auto">
          {content}
        </p>
      ) : (
        <Parsed {...parts} content={content} message={message} />
      )}
    </div>
  );
}

type Parts = NonNullable<ReturnType<typeof useMessageParts>>;

function Parsed({
  parseMarkdown,
  MarkdownView,
  MentionedView,
  useLarge,
  content,
  message,
}: MessageTextProps & Parts) {
  const blocks = markdownOf(content, parseMarkdown);
  const isLarge = useLarge(content);
  const view =
    message?.mentions || message?.mention_room ? (
      <MentionedView blocks={blocks} message={message} />
    ) : (
      <MarkdownView blocks={blocks} />
    );
  return isLarge ? <div className={styles.large}>{view}</div> : view;
}
