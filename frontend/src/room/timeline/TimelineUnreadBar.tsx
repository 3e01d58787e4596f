import { useText } from '../../i18n/catalogue.ts';
import { useUnread } from '../../stores/unread.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './TimelineUnreadBar.module.css';

interface TimelineUnreadBarProps {
  readonly roomId: number;
  readonly isSeeking: boolean;
  readonly onSeek: () => void;
  readonly onRead: () => void;
}

/** So much is unread that the room opened at its end: the way to the first of it, or past all of it. */
export function TimelineUnreadBar({ roomId, isSeeking, onSeek, onRead }: TimelineUnreadBarProps) {
  const text = useText();
  // The number of the list of rooms: two for one thing would make one wonder.
  const count = useUnread({ id: roomId, seq: 0 });
  return (
    <div className={styles.bar} data-testid="unread-bar">
      <p>{text.room.unread(count)}</p>
      <Button onClick={onSeek} aria-disabled={isSeeking}>
        {isSeeking ? text.room.seekingUnread : text.room.toUnread}
      </Button>
      <Button look="quiet" onClick={onRead}>
        {text.room.markRead}
      </Button>
    </div>
  );
}
