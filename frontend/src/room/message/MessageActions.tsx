import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CheckIcon, CopyIcon, icon } from '../../ui/icons.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './MessageActions.module.css';

const PersonIcon = icon(<path d="M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 6.5a6 4.5 0 0 1 12 0" />);

interface MessageActionsProps {
  readonly authorId: number;
  readonly content: string;
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
}

/**
 * What can be done with a message. It is one Tab stop, with the left and right arrows between its buttons. The style sheet shows it while
 * its message has the pointer or the focus.
 */
export function MessageActions({ authorId, content, active }: MessageActionsProps) {
  const text = useText();
  const { settings } = useScreenTexts();
  const { copied, copy } = useCopy(content);
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={text.room.actions}
      data-testid="message-actions"
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
        const buttons = [...currentTarget.querySelectorAll('button')];
        buttons.find((button) => button !== document.activeElement)?.focus();
      }}
    >
      <IconButton
        label={copied ? text.content.copied : text.room.copyText}
        className={styles.action}
        tabIndex={active ? 0 : -1}
        onClick={() => void copy()}
      >
        {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      </IconButton>
      <IconButton
        label={settings.profile}
        className={styles.action}
        tabIndex={-1}
        onClick={() => useDialogs.getState().show({ kind: 'profile', userId: authorId })}
      >
        <PersonIcon size={16} />
      </IconButton>
    </div>
  );
}
