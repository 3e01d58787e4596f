import { type FormEvent, useState } from 'react';
import { ApiError, type User } from '../../../../client/index.ts';
import { normalizePassword } from '../../../../protocol/names.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { SaveRow } from '../../ui/SaveRow.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './Settings.module.css';

interface PasswordErrors {
  readonly current?: string;
  readonly next?: string;
}

/** A new password for the user. All other sessions end with it. */
export function PasswordSection({
  user,
  onChanged,
}: {
  readonly user: User;
  readonly onChanged: () => void;
}) {
  const { settings } = useScreenTexts();
  const { auth } = useFullTexts();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [errors, setErrors] = useState<PasswordErrors>({});
  const [isSaved, setSaved] = useState(false);
  const { busy, run } = useRequest();

  function edit(change: () => void): void {
    change();
    setErrors({});
    setSaved(false);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (current === '') return setErrors({ current: auth.passwordMissing });
    if (normalizePassword(next) === null) return setErrors({ next: auth.passwordBroken });
    void run(async () => {
      try {
        await peopleRequests().changePassword(current, next);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 403)) throw error;
        return setErrors({ current: settings.wrongPassword });
      }
      setCurrent('');
      setNext('');
      setSaved(true);
      onChanged();
    });
  }

  return (
    <section className={styles.section}>
      <p className={styles.hint}>{settings.passwordHint}</p>
      <form className={styles.form} onSubmit={submit} noValidate>
        {/* A password manager stores the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <PasswordField
          label={settings.currentPassword}
          name="current"
          autoComplete="current-password"
          value={current}
          onChange={(value) => edit(() => setCurrent(value))}
          rule={undefined}
          error={errors.current}
        />
        <PasswordField
          label={settings.newPassword}
          name="next"
          autoComplete="new-password"
          value={next}
          onChange={(value) => edit(() => setNext(value))}
          rule={auth.passwordRule}
          error={errors.next}
        />
        <SaveRow label={settings.changePassword} busy={busy} isSaved={isSaved} />
      </form>
    </section>
  );
}
