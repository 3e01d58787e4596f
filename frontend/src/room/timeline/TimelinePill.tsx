import { useScreenTexts } from '../../i18n/screens.ts';
import { useUnread } from '../../stores/unread.ts';
import { DownIcon } from '../../ui/late-icons.tsx';
import styles from './TimelinePill.module.css';

interface TimelinePillProps {
  readonly roomId: number;
  /** Messages below that the reader has not seen; null: the end of the room is elsewhere. */
  readonly unseen: number | null;
  readonly onClick: () => void;
}

/** Leads a reader further up, or at the target of a jump, to the end, and counts what has come there. */
export function TimelinePill({ roomId, unseen, onClick }: TimelinePillProps) {
  const { timeline: words } = useScreenTexts();
  // The same number as in the list of rooms.
  const unread = useUnread(roomId);
  const count = unseen ?? unread;
  return (
    <button
      type="button"
      className={styles.pill}
      data-new={count > 0 || unseen === null}
      onClick={onClick}
      aria-label={words.toEnd(count)}
      data-testid="to-end"
    >
      <DownIcon size={16} />
      {unseen === null ? words.toEnd(count) : count > 0 && words.newMessages(count)}
    </button>
  );
}
