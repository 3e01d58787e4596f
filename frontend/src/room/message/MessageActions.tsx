import type { Message } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fullTime } from '../../i18n/time.ts';
import { moveByArrows } from '../../ui/arrow-keys.ts';
import { IconButton } from '../../ui/Button.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { MoreIcon, ReplyIcon, SmileIcon, ThreadIcon } from '../../ui/late-icons.tsx';
import styles from './MessageActions.module.css';
import { carryOut, may, toggleReaction } from './message-commands.ts';
import { showMessageMenu } from './message-menu-store.ts';
import { QUICK_REACTIONS } from './quick-reactions.ts';

interface MessageActionsProps {
  readonly message: Message;
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
}

/**
 * What can be done with a message. It is one Tab stop, with the left and right arrows between its buttons. The style
 * sheet shows it while its message has the pointer or the focus.
 */
export function MessageActions({ message, active }: MessageActionsProps) {
  const text = useText();
  const { message: texts } = useScreenTexts();
  const mayReact = may('react', message);
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={texts.actions}
      data-testid="message-actions"
      onKeyDown={(event) => moveByArrows(event, 'horizontal')}
    >
      <span className={styles.when} aria-hidden="true" data-testid="when">
        {fullTime(text, Date.parse(message.created_at))}
      </span>
      {mayReact &&
        QUICK_REACTIONS.slice(0, 3).map((emoji, index) => (
          <IconButton
            key={emoji}
            label={texts.reactWith(emoji)}
            className={`${styles.action} ${styles.quick}`}
            tabIndex={active && index === 0 ? 0 : -1}
            onClick={() => toggleReaction(message, emoji)}
          >
            {emoji}
          </IconButton>
        ))}
      {mayReact && (
        <IconButton
          label={texts.commands.react}
          className={styles.action}
          tabIndex={-1}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => carryOut('react', message, currentTarget)}
        >
          <SmileIcon size={18} />
        </IconButton>
      )}
      {(['reply', 'thread'] as const).map(
        (command) =>
          may(command, message) && (
            <IconButton
              key={command}
              label={texts.commands[command]}
              className={styles.action}
              tabIndex={-1}
              onClick={() => carryOut(command, message, null)}
            >
              {command === 'reply' ? <ReplyIcon size={18} /> : <ThreadIcon size={18} />}
            </IconButton>
          ),
      )}
      <span className={styles.rule} />
      {may('edit', message) && (
        <IconButton
          label={texts.commands.edit}
          className={styles.action}
          tabIndex={-1}
          onClick={() => carryOut('edit', message, null)}
        >
          <PencilIcon size={18} />
        </IconButton>
      )}
      <IconButton
        label={texts.more}
        className={styles.action}
        tabIndex={active && !mayReact ? 0 : -1}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => showMessageMenu({ message, anchor: currentTarget, view: 'menu' })}
      >
        <MoreIcon size={18} />
      </IconButton>
    </div>
  );
}
