import { useScreenTexts } from '../../i18n/screens.ts';
import { useUnread } from '../../stores/unread.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './TimelineUnreadBar.module.css';

interface TimelineUnreadBarProps {
  readonly roomId: number;
  readonly isSeeking: boolean;
  readonly onSeek: () => void;
  readonly onRead: () => void;
}

/** Shown when a room with very many unread messages opens at its end: leads to the first of them, or marks all read. */
export function TimelineUnreadBar({ roomId, isSeeking, onSeek, onRead }: TimelineUnreadBarProps) {
  const { timeline: words } = useScreenTexts();
  // The same number as in the list of rooms.
  const count = useUnread(roomId);
  return (
    <div className={styles.bar} data-testid="unread-bar">
      <p>{words.unread(count)}</p>
      <Button onClick={onSeek} aria-disabled={isSeeking}>
        {isSeeking ? words.seekingUnread : words.toUnread}
      </Button>
      <Button look="quiet" onClick={onRead}>
        {words.markRead}
      </Button>
    </div>
  );
}
