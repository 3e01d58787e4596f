import { useScreenTexts } from '../i18n/screens.ts';
import { useRooms } from '../stores/rooms.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { NARROW, useMedia } from '../ui/use-media.ts';
import styles from './RoomList.module.css';

interface RoomListEmptyProps {
  /** Why no room is shown: the list did not load, the server has none, or none has the name. */
  readonly state: 'failed' | 'none' | 'noMatch';
  readonly wanted: string;
  /** The server is being searched, too. */
  readonly searching: boolean;
  readonly onCreate: (suggestion: string) => void;
}

/** In place of the list of rooms. */
export function RoomListEmpty({ state, wanted, searching, onCreate }: RoomListEmptyProps) {
  const { list } = useScreenTexts();
  const isNarrow = useMedia(NARROW);
  if (state === 'failed') {
    return (
      <Empty title={list.failed}>
        <Button onClick={() => void useRooms.getState().refresh()}>{list.retry}</Button>
      </Empty>
    );
  }
  if (state === 'none') {
    return (
      <Empty drawing="open_door" title={list.none} hint={list.noneHint}>
        {/* On a wide screen the page beside the list has the button. */}
        {isNarrow && (
          <Button look="primary" onClick={() => onCreate('')}>
            {list.createFirst}
          </Button>
        )}
      </Empty>
    );
  }
  if (searching) return <p className={styles.noMatch}>{list.searching}</p>;
  return (
    <>
      <p className={styles.noMatch}>{list.noMatch(wanted)}</p>
      <Button look="quiet" className={styles.createIt} onClick={() => onCreate(wanted)}>
        {list.createIt(wanted)}
      </Button>
    </>
  );
}
