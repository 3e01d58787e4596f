import { type FormEvent, useState } from 'react';
import type { User } from '../../../../client/index.ts';
import { DISPLAY_NAME_MAX, EMOJI_MAX, STATUS_TEXT_MAX } from '../../../../protocol/limits.ts';
import type { Me } from '../../../../protocol/rest/people.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fullTime } from '../../i18n/time.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Field } from '../../ui/Field.tsx';
import { lineError } from '../../ui/hidden-characters.ts';
import { isOneEmoji } from '../../ui/is-one-emoji.ts';
import { SaveRow } from '../../ui/SaveRow.tsx';
import { Select } from '../../ui/Select.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import styles from './Settings.module.css';

/** When the status ends. `kept`: when it was to end before. */
const UNTIL = ['never', 'hour', 'today', 'kept'] as const;
type Until = (typeof UNTIL)[number];

interface ProfileSectionProps {
  readonly me: Me;
  readonly user: User;
  readonly onSaved: (me: Me) => void;
}

/** What others see of the user. */
export function ProfileSection({ me, user, onSaved }: ProfileSectionProps) {
  const text = useText();
  const screen = useScreenTexts();
  const { settings, create } = screen;
  const [name, setName] = useState(me.display_name);
  const [emoji, setEmoji] = useState(me.status?.emoji ?? '');
  const [status, setStatus] = useState(me.status?.text ?? '');
  const [zone, setZone] = useState(me.time_zone ?? here());
  const [until, setUntil] = useState<Until>(me.status?.until === undefined ? 'never' : 'kept');
  const [isSaved, setSaved] = useState(false);
  const [isBadEmoji, setBadEmoji] = useState(false);
  const [errors, setErrors] = useState<{
    readonly name?: string | undefined;
    readonly status?: string | undefined;
  }>({});
  const { busy, run } = useRequest();

  function edit(change: () => void): void {
    change();
    setSaved(false);
    setBadEmoji(false);
    setErrors({});
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const sign = emoji.trim();
    if (sign !== '' && !isOneEmoji(sign)) {
      setBadEmoji(true);
      return;
    }
    const wrong = {
      name: lineError(screen, name, DISPLAY_NAME_MAX),
      status: lineError(screen, status, STATUS_TEXT_MAX),
    };
    if (wrong.name !== undefined || wrong.status !== undefined) return setErrors(wrong);
    const words = status.trim();
    void run(async () => {
      onSaved(
        await peopleRequests().updateMe({
          display_name: name.trim(),
          status:
            sign === '' && words === ''
              ? null
              : { text: words, ...(sign === '' ? {} : { emoji: sign }), ...endOf(until, me.status?.until) },
          time_zone: zone,
        }),
      );
      setSaved(true);
    });
  }

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
        onChange={(event) => edit(() => setName(event.target.value))}
        rule={settings.nameRule(user.username)}
        error={errors.name}
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
          error={errors.status}
        />
      </div>
      <Select
        label={settings.until}
        value={until}
        onChange={({ target }) => edit(() => setUntil(UNTIL.find((one) => one === target.value) ?? 'never'))}
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
        onChange={({ target }) => edit(() => setZone(target.value))}
      >
        {[...new Set([zone, here(), ...Intl.supportedValuesOf('timeZone')])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <SaveRow busy={busy} isSaved={isSaved} />
    </form>
  );
}

/** The time zone of this device. */
function here(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function endOf(until: Until, kept: string | undefined): { until?: string } {
  switch (until) {
    case 'never':
      return {};
    case 'hour':
      return { until: new Date(Date.now() + 3_600_000).toISOString() };
    case 'today':
      return { until: new Date(new Date().setHours(24, 0, 0, 0)).toISOString() };
    case 'kept':
      return kept === undefined ? {} : { until: kept };
  }
}
