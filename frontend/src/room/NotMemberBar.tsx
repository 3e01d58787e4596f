import type { RoomInfo } from '../../../client/index.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { joinRoom, useJoins } from '../stores/joins.ts';
import { Button } from '../ui/Button.tsx';
import { focusComposer } from '../ui/regions.ts';
import { useRequest } from '../ui/use-loaded.ts';
import frame from './Bar.module.css';
import styles from './NotMemberBar.module.css';

/** Over the composer of a public room that the user only looks at. Writing joins it, too. */
export function NotMemberBar({ room }: { readonly room: RoomInfo }) {
  const { bar } = useScreenTexts();
  const { busy, run } = useRequest();
  const isWaiting = useJoins(({ waiting }) => waiting.has(room.id));
  const words = room.archived ? bar.archived : isWaiting ? bar.waiting : bar.looking(room.name);
  return (
    <div className={`${frame.bar} ${styles.bar}`} data-testid="not-member">
      <div className={styles.words} role="status">
        <p>{words}</p>
        {!room.archived && !isWaiting && <p className={styles.hint}>{bar.writing}</p>}
      </div>
      {!room.archived && !isWaiting && (
        <Button
          look="primary"
          aria-disabled={busy}
          onClick={({ currentTarget }) => {
            // The button goes away, and the focus with it. On a touch screen the composer would open the keyboard.
            const isByKeyboard = currentTarget.matches(':focus-visible');
            void run(async () => {
              await joinRoom(room.id);
              if (isByKeyboard) focusComposer();
            });
          }}
        >
          {bar.join}
        </Button>
      )}
    </div>
  );
}
