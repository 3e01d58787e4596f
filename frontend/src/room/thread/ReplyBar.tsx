import { useEffect } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useAnswering } from '../../stores/answering.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { focusComposer } from '../../ui/regions.ts';
import { QuotedText } from './Quote.tsx';
import styles from './ReplyBar.module.css';

/** Above the composer: the message that the text will answer. Escape answers none. */
export function ReplyBar({ roomId }: { readonly roomId: number }) {
  const { thread: texts } = useScreenTexts();
  const message = useAnswering((store) => store.message);
  const isShown = message?.room_id === roomId;

  useEffect(() => {
    if (!isShown) return;
    focusComposer();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (!document.activeElement?.closest('[data-region=composer]')) return;
      event.preventDefault();
      event.stopPropagation();
      useAnswering.setState({ message: null });
    };
    // Before Escape leads to the composer.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isShown]);

  if (!isShown) return null;
  return (
    <div className={styles.bar} data-testid="reply-bar">
      <span className={styles.label}>{texts.replyingTo}</span>
      <QuotedText message={message} />
      <IconButton
        label={texts.cancelReply}
        onClick={() => {
          useAnswering.setState({ message: null });
          focusComposer();
        }}
      >
        <CloseIcon size={16} />
      </IconButton>
    </div>
  );
}
