import { useCallback, useEffect, useRef, useState } from 'react';
import type { Profile } from '../../../protocol/people.ts';
import { useText } from '../i18n/catalogue.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { clockIn, untilTime } from '../i18n/time.ts';
import { openDm } from '../parts/rooms/open-dm.ts';
import { chat } from '../stores/chat.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { statusNow, usePeople } from '../stores/people.ts';
import { peopleRequests } from '../stores/requests.ts';
import { navigate } from '../stores/route.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { ClockIcon } from '../ui/icons.tsx';
import { BlockIcon } from '../ui/late-icons.tsx';
import { WhenLoaded } from '../ui/Page.tsx';
import { Popover } from '../ui/Popover.tsx';
import { useLoaded, useRequest } from '../ui/use-loaded.ts';
import styles from './ProfileDialog.module.css';
import { ProfileMenu } from './ProfileMenu.tsx';

/**
 * A person's profile, beside the name that was pressed: status and local time, and buttons to write to them and more.
 */
export function ProfileDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useScreenTexts();
  const [{ userId, anchor }] = useState(() => {
    const { open } = useDialogs.getState();
    return open.kind === 'profile' ? open : { userId: 0, anchor: null };
  });
  const load = useCallback(async () => {
    const [profile] = await peopleRequests().byIds([userId]);
    if (profile === undefined) throw new Error('this person is not to be seen');
    return profile;
  }, [userId]);
  const { loaded, reload } = useLoaded(load);
  const known = usePeople(({ profiles }) => profiles.get(userId));
  // Most people in sight are known; the line brings what changes of them.
  const isNewer = loaded.status !== 'ready' || loaded.value.version <= (known?.version ?? -1);
  const shown = known !== undefined && isNewer ? ({ status: 'ready', value: known } as const) : loaded;
  useEffect(() => {
    usePeople.setState({ lookedAt: userId });
    return () => usePeople.setState({ lookedAt: null });
  }, [userId]);
  const name = shown.status === 'ready' ? nameOf(shown.value) : '';
  return (
    <Popover anchor={anchor} onClose={onClose} aria-label={texts.profile.title(name)} data-testid="profile">
      <div className={styles.body}>
        <WhenLoaded loaded={shown} onRetry={reload}>
          {(profile) => <Card profile={profile} onClose={onClose} />}
        </WhenLoaded>
      </div>
    </Popover>
  );
}

function nameOf({ display_name: name, username }: Profile): string {
  return name === '' ? username : name;
}

interface CardProps {
  readonly profile: Profile;
  readonly onClose: () => void;
}

function Card({ profile, onClose }: CardProps) {
  return (
    <>
      <Who profile={profile} />
      <CurrentStatus status={statusNow(profile.status)} />
      <Facts profile={profile} />
      <Actions profile={profile} onClose={onClose} />
    </>
  );
}

function Who({ profile }: { readonly profile: Profile }) {
  const text = useText();
  const { profile: texts } = useScreenTexts();
  const { id, username, role, kind } = profile;
  const isOnline = usePeople(({ online }) => online.has(id));
  const name = nameOf(profile);
  const badge = kind === 'bot' ? texts.bot : role === 'member' ? null : texts[role];
  return (
    <div className={styles.who}>
      <Avatar userId={id} username={name} size="large" online={isOnline} />
      <div className={styles.names}>
        <h2 className={styles.name}>{name}</h2>
        {name !== username && <p className={styles.note}>{username}</p>}
        {isOnline && <p className={styles.note}>{text.connection.online}</p>}
        {badge !== null && <p className={styles.badge}>{badge}</p>}
      </div>
    </div>
  );
}

function CurrentStatus({ status }: { readonly status: Profile['status'] }) {
  const text = useText();
  const { profile: texts } = useScreenTexts();
  if (status === null) return null;
  const until = status.until === undefined ? null : Date.parse(status.until);
  return (
    <div className={styles.status}>
      <p className={styles.statusText}>
        {status.emoji} {status.text}
        {until !== null && (
          <span className={styles.note}> {texts.until(untilTime(text, until, Date.now()))}</span>
        )}
      </p>
    </div>
  );
}

function Facts({ profile: { id, time_zone: zone, suspended } }: { readonly profile: Profile }) {
  const text = useText();
  const { profile: texts } = useScreenTexts();
  const isBlocked = useOwnRooms(({ blocked }) => blocked.has(id));
  if (zone === null && !suspended && !isBlocked) return null;
  return (
    <div className={styles.facts}>
      {zone !== null && (
        <p className={styles.fact}>
          <ClockIcon size={18} />
          <span>{texts.time(clockIn(text, zone))}</span>
        </p>
      )}
      {(suspended || isBlocked) && (
        <p className={styles.fact}>
          <BlockIcon size={18} />
          {suspended ? texts.gone : texts.isBlocked}
        </p>
      )}
    </div>
  );
}

function Actions({ profile, onClose }: CardProps) {
  const { profile: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const { id } = profile;
  const isMe = chat().user?.id === id;
  const first = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    // The popover was there before its content, and has the focus itself.
    if (document.activeElement === first.current?.closest('dialog')) first.current?.focus();
  }, []);

  const write = () => void run(() => openDm(isMe ? [] : [id], onClose));

  return (
    <div className={styles.actions}>
      <Button ref={first} look="primary" aria-disabled={busy} onClick={write}>
        {isMe ? texts.notes : texts.message}
      </Button>
      {isMe ? (
        <Button
          onClick={() => {
            onClose();
            navigate('/settings');
          }}
        >
          {texts.edit}
        </Button>
      ) : (
        <ProfileMenu id={id} username={profile.username} name={nameOf(profile)} onClose={onClose} />
      )}
    </div>
  );
}
