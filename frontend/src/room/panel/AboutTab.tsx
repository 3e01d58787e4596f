import { useState } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { roomRequests } from '../../stores/requests.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Door } from '../../ui/Door.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import { CopyLinkButton } from '../header/CopyLinkButton.tsx';
import { AboutForm } from './AboutForm.tsx';
import styles from './RoomPanel.module.css';
import { RoomRights } from './RoomRights.tsx';

interface AboutTabProps {
  readonly room: RoomInfo;
  readonly onChanged: (room: RoomInfo) => void;
}

/** What the room is: to be changed by its moderators, to be read by all others. */
export function AboutTab({ room, onChanged }: AboutTabProps) {
  const { room: texts, browse } = useScreenTexts();
  const { busy, run } = useRequest();
  const { id, name, topic, description, emoji, kind, archived, members, me_role: role } = room;
  const [isAsking, setAsking] = useState(false);
  const mayEdit = (role === 'owner' || role === 'moderator') && kind !== 'dm';

  return (
    <>
      {mayEdit ? (
        <AboutForm room={room} onChanged={onChanged} />
      ) : (
        <>
          <div className={styles.identity}>
            <Door size="large" roomId={id} name={name} emoji={emoji} hue={room.hue} />
            <p>{name}</p>
          </div>
          <p className={styles.words}>{topic === '' ? texts.noTopic : topic}</p>
          {description !== '' && <p className={styles.words}>{description}</p>}
        </>
      )}
      <p className={styles.hint}>
        {kind === 'dm' ? texts.isDm : kind === 'private' ? texts.isPrivate : texts.isPublic}{' '}
        {browse.members(members)}
      </p>
      {kind !== 'dm' && <CopyLinkButton roomId={id} />}
      {archived && <p className={styles.hint}>{texts.archived}</p>}
      {mayEdit && <RoomRights room={room} onChanged={onChanged} />}
      {role !== undefined && kind !== 'dm' && (
        <div className={styles.actions}>
          {role === 'owner' && (
            <Button
              aria-disabled={busy}
              onClick={() =>
                void run(async () => onChanged(await roomRequests().update(id, { archived: !archived })))
              }
            >
              {archived ? texts.restore : texts.archive}
            </Button>
          )}
          {role === 'owner' && (
            <Button look="danger" aria-disabled={busy} onClick={() => setAsking(true)}>
              {texts.deleteRoom}
            </Button>
          )}
          <Button
            look="danger"
            aria-disabled={busy}
            onClick={() =>
              void run(async () => {
                await roomRequests().leave(id);
                void useRooms.getState().refresh();
                navigate('/');
              })
            }
          >
            {texts.leave}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteThis(name)}
          hint={texts.deleteHint}
          stay={texts.keepRoom}
          confirm={texts.deleteRoom}
          look="danger"
          onClose={() => setAsking(false)}
          onConfirm={() => void run(() => roomRequests().delete(id))}
        />
      )}
    </>
  );
}
