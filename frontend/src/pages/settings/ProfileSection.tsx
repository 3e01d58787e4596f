import type { User } from '../../../../client/index.ts';
import { DISPLAY_NAME_MAX, STATUS_TEXT_MAX } from '../../../../protocol/limits.ts';
import type { Me } from '../../../../protocol/rest/people.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fullTime } from '../../i18n/time.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Field } from '../../ui/Field.tsx';
import { SaveRow } from '../../ui/SaveRow.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './Settings.module.css';
import { StatusEmoji } from './StatusEmoji.tsx';
import { here, UNTIL, useProfileForm } from './use-profile-form.ts';

interface ProfileSectionProps {
  readonly me: Me;
  readonly user: User;
  readonly onSaved: (me: Me) => void;
}

/** What others see of the user. */
export function ProfileSection({ me, user, onSaved }: ProfileSectionProps) {
  const text = useText();
  const { settings } = useScreenTexts();
  const { draft, errors, isSaved, busy, change, submit } = useProfileForm(me, onSaved);
  const { name, emoji, status, until, zone } = draft;

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.who}>
        <Avatar userId={user.id} username={name.trim() === '' ? user.username : name} size="large" />
      </div>
      <Field
        label={settings.name}
        placeholder={user.username}
        maxLength={DISPLAY_NAME_MAX}
        autoComplete="off"
        value={name}
        onChange={(event) => change({ name: event.target.value })}
        rule={settings.nameRule(user.username)}
        error={errors.name}
      />
      <div className={styles.pair}>
        <StatusEmoji emoji={emoji} onChange={(picked) => change({ emoji: picked })} />
        <Field
          label={settings.status}
          maxLength={STATUS_TEXT_MAX}
          autoComplete="off"
          value={status}
          onChange={(event) => change({ status: event.target.value })}
          rule={settings.statusRule}
          error={errors.status}
        />
      </div>
      <Select
        label={settings.until}
        value={until}
        onChange={({ target }) => change({ until: UNTIL.find((one) => one === target.value) ?? 'never' })}
      >
        <option value="never">{settings.never}</option>
        <option value="hour">{settings.hour}</option>
        <option value="today">{settings.today}</option>
        {me.status?.until !== undefined && (
          <option value="kept">{fullTime(text, Date.parse(me.status.until))}</option>
        )}
      </Select>
      <Select
        label={settings.zone}
        rule={settings.zoneRule}
        value={zone}
        onChange={({ target }) => change({ zone: target.value })}
      >
        {[...new Set([zone, here(), ...Intl.supportedValuesOf('timeZone')])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <SaveRow busy={busy} isSaved={isSaved} />
    </form>
  );
}
