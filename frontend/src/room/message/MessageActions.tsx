import { useText } from '../../i18n/catalogue.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './MessageActions.module.css';

interface MessageActionsProps {
  readonly content: string;
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
}

/** What can be done with a message. The style sheet shows it while its message has the pointer or the focus. */
export function MessageActions({ content, active }: MessageActionsProps) {
  const text = useText();
  const { copied, copy } = useCopy(content);
  return (
    <div className={styles.bar} role="toolbar" aria-label={text.room.actions} data-testid="message-actions">
      <IconButton
        label={copied ? text.content.copied : text.room.copyText}
        className={styles.action}
        tabIndex={active ? 0 : -1}
        onClick={() => void copy()}
      >
        {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      </IconButton>
    </div>
  );
}
