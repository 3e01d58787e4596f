import { splitLinks } from './links.ts';
import styles from './MessageText.module.css';

/** Message content as it was written: text nodes and links, never HTML. */
export function MessageText({ content }: { readonly content: string }) {
  let offset = 0;
  return (
    <div className={styles.text} dir="auto" data-testid="message-content">
      {splitLinks(content).map((part) => {
        const key = offset;
        offset += part.text.length;
        if (part.kind === 'text') return part.text;
        return (
          <a key={key} href={part.text} target="_blank" rel="noopener noreferrer nofollow">
            {part.text}
          </a>
        );
      })}
    </div>
  );
}
