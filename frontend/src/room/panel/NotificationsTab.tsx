import { useCallback, useRef } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import type { NotifyLevel, ThreadsLevel } from '../../../../protocol/rooms.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fullTime } from '../../i18n/time.ts';
import { notificationSettings } from '../../stores/notification-settings.ts';
import { roomRequests } from '../../stores/requests.ts';
import { showToast } from '../../stores/toasts.ts';
import { WhenLoaded } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import styles from './RoomPanel.module.css';

const LEVELS = ['all', 'mentions', 'none'] as const;
const THREADS = ['mine', 'all', 'none'] as const;
const HOUR_MS = 3_600_000;
/** How long a room can be muted. */
const SPANS = { hour: HOUR_MS, night: 8 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
type Span = keyof typeof SPANS;

type Prefs =
  | { notify: NotifyLevel | null }
  | { threads: ThreadsLevel | null }
  | { starred: boolean }
  | { notify_muted_until: string | null };

/** What the room notifies the user of, and whether it is starred. */
export function NotificationsTab({ room }: { readonly room: RoomInfo }) {
  const { room: texts } = useScreenTexts();
  const load = useCallback(async () => {
    const [{ rooms }, { default: byDefault = 'mentions' }] = await Promise.all([
      roomRequests().own(),
      notificationSettings(),
    ]);
    return { me: rooms.find((entry) => entry.room.id === room.id)?.me ?? null, byDefault };
  }, [room.id]);
  const { loaded, reload, set } = useLoaded(load);
  const send = useSendPrefs(room.id, reload);

  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {({ me, byDefault }) => {
        if (me === null) return <p className={styles.hint}>{texts.membersOnly}</p>;
        const change = (prefs: Prefs): void => {
          set({ me: { ...me, ...prefs }, byDefault });
          send(prefs);
        };
        const usual = room.kind === 'dm' ? 'all' : byDefault;
        const level = me.notify ?? usual;
        return (
          <>
            <fieldset className={styles.choices}>
              <legend>{texts.notify}</legend>
              {[null, ...LEVELS].map((value) => (
                <label key={value} className={styles.choice}>
                  <input
                    type="radio"
                    name="notify"
                    checked={me.notify === value}
                    onChange={() => change({ notify: value })}
                  />
                  {value === null ? texts.usual(texts[usual]) : texts[value]}
                </label>
              ))}
            </fieldset>
            {level === 'none' ? (
              <p className={styles.hint}>{texts.muted}</p>
            ) : (
              <MuteFor
                until={me.notify_muted_until}
                onChange={(until) => change({ notify_muted_until: until })}
              />
            )}
            <Select
              label={texts.threads}
              rule={texts.threadsRules[me.threads ?? 'mine']}
              value={me.threads ?? 'mine'}
              onChange={({ target: { value } }) =>
                change({ threads: value === 'all' || value === 'none' ? value : null })
              }
            >
              {THREADS.map((value) => (
                <option key={value} value={value}>
                  {texts.threadsLevels[value]}
                </option>
              ))}
            </Select>
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

/** Sends changes one after the other, in the order in which they were made. `onFailed`: one of them has failed. */
function useSendPrefs(roomId: number, onFailed: () => void): (prefs: Prefs) => void {
  const text = useText();
  const last = useRef(Promise.resolve());
  const hasFailed = useRef(false);

  return (prefs) => {
    const sending = last.current.then(async () => {
      try {
        await roomRequests().setPrefs(roomId, prefs);
      } catch (error) {
        hasFailed.current = true;
        showToast(explain(text, error));
      }
      if (last.current !== sending || !hasFailed.current) return;
      hasFailed.current = false;
      onFailed();
    });
    last.current = sending;
  };
}

interface MuteForProps {
  readonly until: string | null;
  readonly onChange: (until: string | null) => void;
}

/** Mutes the room for a while. */
function MuteFor({ until, onChange }: MuteForProps) {
  const text = useText();
  const { room: texts } = useScreenTexts();
  const end = until === null ? 0 : Date.parse(until);
  const isMuted = end > Date.now();
  return (
    <Select
      label={texts.muteFor}
      rule={isMuted ? texts.muted : undefined}
      value={isMuted ? 'muted' : 'off'}
      onChange={({ target: { value } }) =>
        onChange(isSpan(value) ? new Date(Date.now() + SPANS[value]).toISOString() : null)
      }
    >
      <option value="off">{texts.muteOff}</option>
      {isMuted && <option value="muted">{texts.mutedUntil(fullTime(text, end))}</option>}
      {Object.keys(SPANS)
        .filter(isSpan)
        .map((span) => (
          <option key={span} value={span}>
            {texts.muteSpans[span]}
          </option>
        ))}
    </Select>
  );
}

function isSpan(value: string): value is Span {
  return Object.hasOwn(SPANS, value);
}
