import { type FormEvent, useState } from 'react';
import type { User } from '../../../client/index.ts';
import { DISPLAY_NAME_MAX, EMOJI_MAX, STATUS_TEXT_MAX } from '../../../protocol/limits.ts';
import type { Me } from '../../../protocol/rest/people.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Field } from '../ui/Field.tsx';
import { isOneEmoji } from './is-one-emoji.ts';
import { peopleRequests } from './requests.ts';
import { SaveRow } from './SaveRow.tsx';
import styles from './Settings.module.css';
import { useRequest } from './use-loaded.ts';

interface ProfileSectionProps {
  readonly me: Me;
  readonly user: User;
  readonly onSaved: (me: Me) => void;
}

/** What others see of the user. */
export function ProfileSection({ me, user, onSaved }: ProfileSectionProps) {
  const { settings, create } = useScreenTexts();
  const [name, setName] = useState(me.display_name);
  const [emoji, setEmoji] = useState(me.status?.emoji ?? '');
  const [status, setStatus] = useState(me.status?.text ?? '');
  const [isSaved, setSaved] = useState(false);
  const [isBadEmoji, setBadEmoji] = useState(false);
  const { busy, run } = useRequest();

  function edit(change: () => void): void {
    change();
    setSaved(false);
    setBadEmoji(false);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const sign = emoji.trim();
    if (sign !== '' && !isOneEmoji(sign)) {
      setBadEmoji(true);
      return;
    }
    const text = status.trim();
    void run(async () => {
      onSaved(
        await peopleRequests().updateMe({
          display_name: name.trim(),
          status: sign === '' && text === '' ? null : { text, ...(sign === '' ? {} : { emoji: sign }) },
          // Others see the local time here; a traveller saves it again.
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        }),
      );
      setSaved(true);
    });
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.who}>
        <Avatar userId={user.id} username={name.trim() === '' ? user.username : name} size="large" />
        <p className={styles.hint}>{settings.zoneRule}</p>
      </div>
      <Field
        label={settings.name}
        placeholder={user.username}
        maxLength={DISPLAY_NAME_MAX}
        autoComplete="off"
        value={name}
        onChange={(event) => edit(() => setName(event.target.value))}
        rule={settings.nameRule(user.username)}
      />
      <div className={styles.pair}>
        <Field
          label={settings.emoji}
          maxLength={EMOJI_MAX}
          autoComplete="off"
          value={emoji}
          onChange={(event) => edit(() => setEmoji(event.target.value))}
          error={isBadEmoji ? create.badEmoji : undefined}
        />
        <Field
          label={settings.status}
          maxLength={STATUS_TEXT_MAX}
          autoComplete="off"
          value={status}
          onChange={(event) => edit(() => setStatus(event.target.value))}
          rule={settings.statusRule}
        />
      </div>
      <SaveRow busy={busy} isSaved={isSaved} />
    </form>
  );
}
