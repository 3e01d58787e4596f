import { useText } from '../i18n/catalogue.ts';
import { Button } from '../ui/Button.tsx';
import styles from './TimelineUnreadBar.module.css';

interface TimelineUnreadBarProps {
  readonly count: number;
  readonly isSeeking: boolean;
  readonly onSeek: () => void;
}

/** So much is unread that the room opened at its end: the way to the first of it. */
export function TimelineUnreadBar({ count, isSeeking, onSeek }: TimelineUnreadBarProps) {
  const text = useText();
  return (
    <div className={styles.bar} data-testid="unread-bar">
      <p>{text.room.unread(count)}</p>
      <Button onClick={onSeek} aria-disabled={isSeeking}>
        {isSeeking ? text.room.seekingUnread : text.room.toUnread}
      </Button>
    </div>
  );
}
