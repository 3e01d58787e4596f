import { useText } from '../i18n/catalogue.ts';
import styles from './UnreadBadge.module.css';

interface UnreadBadgeProps {
  readonly count: number;
  /** A mention or a direct message. */
  readonly personal?: boolean;
}

/** The number of unread messages in a room, with words for screen readers. Nothing when there are none. */
export function UnreadBadge({ count, personal = false }: UnreadBadgeProps) {
  const text = useText();
  if (count === 0) return null;
  return (
    <span className={styles.badge} data-personal={personal}>
      <span aria-hidden="true" data-testid="room-unread">
        {text.sidebar.badge(count)}
      </span>
      <span className="visually-hidden">{text.sidebar.unread(count)}</span>
    </span>
  );
}
