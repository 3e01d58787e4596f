import { useRef, useState } from 'react';
import type { NotificationSettings } from '../../../../client/index.ts';
import type { Me } from '../../../../protocol/rest/people.ts';
import { useText } from '../../i18n/catalogue.ts';
import { explain } from '../../i18n/errors.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { saveNotificationSettings } from '../../stores/notification-settings.ts';
import { showToast } from '../../stores/toasts.ts';
import { DevicePushSection } from './DevicePushSection.tsx';
import panel from './Notifications.module.css';
import { QuietHours, QuietUntil } from './QuietHours.tsx';
import styles from './Settings.module.css';

const LEVELS = ['all', 'mentions', 'none'] as const;

/** What notifies the user, when, and how. Each change is saved at once. */
export function NotificationsSection({ me }: { readonly me: Me }) {
  const { notifications: texts } = useScreenTexts();
  const { settings, change } = useSettings(me.settings.notifications ?? {});
  const toggles = [
    { key: 'hide_text', label: texts.hideText, isOn: settings.hide_text === true },
    { key: 'sound', label: texts.sound, isOn: settings.sound !== false },
    { key: 'badge', label: texts.badge, isOn: settings.badge !== false },
  ] as const;
  return (
    <section className={styles.section} data-testid="notifications">
      <fieldset className={panel.choices}>
        <legend>{texts.level}</legend>
        {LEVELS.map((level) => (
          <label key={level} className={panel.choice}>
            <input
              type="radio"
              name="notify-default"
              checked={(settings.default ?? 'mentions') === level}
              onChange={() => change({ ...settings, default: level })}
            />
            {texts[level]}
          </label>
        ))}
        <p className={styles.hint}>{texts.levelHint}</p>
      </fieldset>
      <QuietUntil quiet={settings.dnd ?? {}} onChange={(dnd) => change({ ...settings, dnd })} />
      <QuietHours
        quiet={settings.dnd ?? {}}
        zone={me.time_zone ?? null}
        onChange={(dnd) => change({ ...settings, dnd })}
      />
      <div>
        {toggles.map(({ key, label, isOn }) => (
          <div key={key} className={panel.toggle}>
            <label className={panel.choice}>
              <input
                type="checkbox"
                checked={isOn}
                onChange={({ target }) => change({ ...settings, [key]: target.checked })}
              />
              {label}
            </label>
            {key === 'hide_text' && <p className={styles.hint}>{texts.hideTextHint}</p>}
          </div>
        ))}
      </div>
      <DevicePushSection userId={me.id} />
    </section>
  );
}

/** The settings as the user wants them. They are saved one after the other; a refused change is taken back. */
function useSettings(first: NotificationSettings) {
  const text = useText();
  const [settings, setSettings] = useState(first);
  const saved = useRef(first);
  const queue = useRef(Promise.resolve());

  function change(next: NotificationSettings): void {
    setSettings(next);
    queue.current = queue.current.then(async () => {
      try {
        await saveNotificationSettings(next);
        saved.current = next;
      } catch (error) {
        setSettings(saved.current);
        showToast(explain(text, error));
      }
    });
  }

  return { settings, change };
}
