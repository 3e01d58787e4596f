import { useCallback } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import type { NotifyLevel } from '../../../../protocol/rooms.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { WhenLoaded } from '../../screens/Page.tsx';
import { roomRequests } from '../../screens/requests.ts';
import { useLoaded, useRequest } from '../../screens/use-loaded.ts';
import styles from './RoomPanel.module.css';

const LEVELS = ['all', 'mentions', 'none'] as const;

/** What the room may call for the user's attention with, and whether it is starred. */
export function NotificationsTab({ room }: { readonly room: RoomInfo }) {
  const { room: texts } = useScreenTexts();
  const load = useCallback(async () => {
    const { rooms } = await roomRequests().own();
    return rooms.find((entry) => entry.room.id === room.id)?.me ?? null;
  }, [room.id]);
  const { loaded, reload, set } = useLoaded(load);
  const { run } = useRequest();
  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {(me) => {
        if (me === null) return <p className={styles.hint}>{texts.membersOnly}</p>;
        const change = (prefs: { notify: NotifyLevel } | { starred: boolean }): void => {
          const before = me;
          set({ ...me, ...prefs });
          void run(async () => {
            try {
              await roomRequests().setPrefs(room.id, prefs);
            } catch (error) {
              set(before);
              throw error;
            }
          });
        };
        const level = me.notify ?? (room.kind === 'dm' ? 'all' : 'mentions');
        return (
          <>
            <fieldset className={styles.choices}>
              <legend>{texts.notify}</legend>
              {LEVELS.map((value) => (
                <label key={value} className={styles.choice}>
                  <input
                    type="radio"
                    name="notify"
                    checked={level === value}
                    onChange={() => change({ notify: value })}
                  />
                  {texts[value]}
                </label>
              ))}
            </fieldset>
            {level === 'none' && <p className={styles.hint}>{texts.muted}</p>}
            <div>
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  checked={me.starred}
                  onChange={({ target }) => change({ starred: target.checked })}
                />
                {texts.star}
              </label>
              <p className={styles.hint}>{texts.starHint}</p>
            </div>
          </>
        );
      }}
    </WhenLoaded>
  );
}
