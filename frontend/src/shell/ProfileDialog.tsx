import { useCallback, useEffect, useState } from 'react';
import type { Profile } from '../../../protocol/people.ts';
import { useText } from '../i18n/catalogue.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { clockIn } from '../i18n/time.ts';
import { setBlocked } from '../stores/blocked.ts';
import { chat } from '../stores/chat.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { usePeople } from '../stores/people.ts';
import { peopleRequests, roomRequests } from '../stores/requests.ts';
import { useRooms } from '../stores/rooms.ts';
import { goToRoom, navigate } from '../stores/route.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import { WhenLoaded } from '../ui/Page.tsx';
import { useLoaded, useRequest } from '../ui/use-loaded.ts';
import styles from './ProfileDialog.module.css';

/** A person's profile: name, status and local time, with buttons to write to them and to block them. */
export function ProfileDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useScreenTexts();
  const [userId] = useState(() => {
    const { open } = useDialogs.getState();
    return open.kind === 'profile' ? open.userId : 0;
  });
  const load = useCallback(async () => {
    const [[profile], blocked] = await Promise.all([
      peopleRequests().byIds([userId]),
      peopleRequests().blocked(),
    ]);
    if (profile === undefined) throw new Error('this person is not to be seen');
    return { profile, isBlocked: blocked.some(({ id }) => id === userId) };
  }, [userId]);
  const { loaded, reload } = useLoaded(load);
  useEffect(() => {
    usePeople.setState({ lookedAt: userId });
    return () => usePeople.setState({ lookedAt: null });
  }, [userId]);
  const name = loaded.status === 'ready' ? nameOf(loaded.value.profile) : '';
  return (
    <Dialog className={styles.card} onClose={onClose} aria-label={texts.profile.title(name)}>
      <IconButton label={texts.close} className={styles.close} onClick={onClose}>
        <CloseIcon />
      </IconButton>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {({ profile, isBlocked }) => (
          <Card profile={profile} isBlocked={isBlocked} onClose={onClose} onChanged={reload} />
        )}
      </WhenLoaded>
    </Dialog>
  );
}

function nameOf({ display_name: name, username }: Profile): string {
  return name === '' ? username : name;
}

interface CardProps {
  readonly profile: Profile;
  readonly isBlocked: boolean;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function Card({ profile, isBlocked, onClose, onChanged }: CardProps) {
  const text = useText();
  const { profile: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const { id, username, status, role, kind, suspended, time_zone: zone } = profile;
  const isMe = chat().user?.id === id;
  const isOnline = usePeople(({ online }) => online.has(id));
  const name = nameOf(profile);
  const badge = kind === 'bot' ? texts.bot : role === 'member' ? null : texts[role];

  function write(): Promise<void> {
    return run(async () => {
      const room = await roomRequests().createDm(isMe ? [] : [id]);
      void useRooms.getState().refresh();
      onClose();
      goToRoom(room.id);
    });
  }

  return (
    <div className={styles.body}>
      <Avatar userId={id} username={name} size="large" online={isOnline} />
      <div>
        <h2 className={styles.name}>{name}</h2>
        {name !== username && <p className={styles.note}>{username}</p>}
        {isOnline && <p className={styles.note}>{text.connection.online}</p>}
      </div>
      {badge !== null && <p className={styles.badge}>{badge}</p>}
      {status !== null && (
        <p className={styles.status}>
          {status.emoji} {status.text}
        </p>
      )}
      {zone !== null && <p className={styles.note}>{texts.time(clockIn(text, zone))}</p>}
      {suspended && <p className={styles.note}>{texts.gone}</p>}
      <div className={styles.actions}>
        <Button look="primary" aria-disabled={busy} onClick={() => void write()}>
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
          <Button
            title={isBlocked ? undefined : texts.blockHint}
            aria-disabled={busy}
            onClick={() =>
              void run(async () => {
                await (isBlocked ? peopleRequests().unblock(id) : peopleRequests().block(id));
                setBlocked(id, !isBlocked);
                onChanged();
              })
            }
          >
            {isBlocked ? texts.unblock : texts.block}
          </Button>
        )}
      </div>
    </div>
  );
}
