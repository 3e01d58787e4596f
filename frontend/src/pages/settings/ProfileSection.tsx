import type { User } from '../../../../client/index.ts';
import { DISPLAY_NAME_MAX } from '../../../../protocol/limits.ts';
import type { Me } from '../../../../protocol/rest/people.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { PictureField } from '../../parts/pictures/PictureField.tsx';
import { usePicture } from '../../stores/people.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Field } from '../../ui/Field.tsx';
import { SaveRow } from '../../ui/SaveRow.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './Settings.module.css';
import { here, useProfileForm } from './use-profile-form.ts';

interface ProfileSectionProps {
  readonly me: Me;
  readonly user: User;
  readonly onSaved: (me: Me) => void;
}

/** What others see of the user. */
export function ProfileSection({ me, user, onSaved }: ProfileSectionProps) {
  const { settings } = useScreenTexts();
  const { draft, error, isSaved, busy, change, submit } = useProfileForm(me, onSaved);
  const { name, zone } = draft;
  const hasPicture = usePicture(user.id) !== undefined;

  return (
    <div className={styles.form}>
      <PictureField
        kind="person"
        hasPicture={hasPicture}
        onChosen={async (picture) => onSaved(await peopleRequests().setAvatar(picture))}
        onRemove={async () => onSaved(await peopleRequests().removeAvatar())}
      >
        <Avatar userId={user.id} username={name.trim() === '' ? user.username : name} size="large" />
      </PictureField>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field
          label={settings.name}
          placeholder={user.username}
          maxLength={DISPLAY_NAME_MAX}
          autoComplete="off"
          value={name}
          onChange={(event) => change({ name: event.target.value })}
          rule={settings.nameRule(user.username)}
          error={error}
        />
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
    </div>
  );
}
