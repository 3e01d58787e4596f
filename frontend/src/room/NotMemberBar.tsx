import type { RoomInfo } from '../../../client/index.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { roomRequests } from '../screens/requests.ts';
import { useRequest } from '../screens/use-loaded.ts';
import { useRooms } from '../stores/rooms.ts';
import { Button } from '../ui/Button.tsx';
import styles from './NotMemberBar.module.css';

/** Over the composer of a public room that the user only looks at. Writing joins it, too. */
export function NotMemberBar({ room }: { readonly room: RoomInfo }) {
  const { bar } = useScreenTexts();
  const { busy, run } = useRequest();
  return (
    <div className={styles.bar} data-testid="not-member">
      <p>{room.archived ? bar.archived : bar.looking(room.name)}</p>
      {!room.archived && (
        <Button
          look="quiet"
          aria-disabled={busy}
          onClick={() =>
            void run(async () => {
              await roomRequests().join(room.id);
              void useRooms.getState().refresh();
            })
          }
        >
          {bar.join}
        </Button>
      )}
    </div>
  );
}
