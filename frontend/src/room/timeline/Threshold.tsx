import type { RoomInfo } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { mayInvite } from '../../parts/rooms/may-invite.ts';
import { useInviteLink } from '../../parts/rooms/use-invite-link.ts';
import { chat } from '../../stores/chat.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useRooms } from '../../stores/rooms.ts';
import { showPanel } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { BigDoor } from '../../ui/BigDoor.tsx';
import { Button } from '../../ui/Button.tsx';
import { roomHue } from '../../ui/hue.ts';
import { CheckIcon, LinkIcon, PencilIcon } from '../../ui/icons.tsx';
import { tileLetter } from '../../ui/initials.ts';
import { InviteIcon, SmileIcon } from '../../ui/late-icons.tsx';
import styles from './Threshold.module.css';

interface ThresholdProps {
  readonly roomId: number;
  readonly name: string;
  /** Nothing has been said yet. */
  readonly isEmpty?: boolean;
}

/** Where a room begins: its open door, what it is for, and what makes it a place. It stays above the first message. */
export function Threshold({ roomId, name, isEmpty = false }: ThresholdProps) {
  const { threshold: texts } = useScreenTexts();
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));
  if (room?.kind === 'dm') return <OfPeople room={room} name={name} />;
  const { topic = '', kind = 'public', emoji = null, archived = false } = room ?? {};
  return (
    <div className={styles.threshold} data-testid="threshold">
      <BigDoor
        hue={roomHue(room ?? { id: roomId })}
        emoji={emoji}
        letter={tileLetter(name)}
        width={96}
        isShut={archived}
      />
      <div className={styles.words}>
        <h2 className={styles.title}>{archived ? name : texts.welcome(name)}</h2>
        {topic !== '' && <p className={styles.topic}>{topic}</p>}
        <p className={styles.hint}>
          {archived ? texts.isArchived : kind === 'private' ? texts.isPrivate : texts.isPublic}
        </p>
        {isEmpty && <p className={styles.hint}>{texts.first}</p>}
        {room !== undefined && <WhatNext room={room} />}
      </div>
    </div>
  );
}

/** For those who may: bring others in, paint the door, say what the room is for. */
function WhatNext({ room }: { readonly room: RoomInfo }) {
  const { threshold: texts } = useScreenTexts();
  const { isInvitation, copied, copy } = useInviteLink(room, room.id);
  const mayChange = (room.me_role === 'owner' || room.me_role === 'moderator') && !room.archived;
  const showAbout = () => showPanel(room.id, 'about');
  return (
    <div className={styles.actions}>
      {mayInvite(room) && !room.archived && (
        <Button look="primary" onClick={() => useDialogs.getState().show({ kind: 'invite_people' })}>
          <InviteIcon size={18} />
          {texts.invite}
        </Button>
      )}
      {room.me_role !== undefined && !room.archived && (
        <Button onClick={copy}>
          {copied ? <CheckIcon size={18} /> : <LinkIcon size={18} />}
          {copied ? texts.copied : isInvitation ? texts.copyInvite : texts.copyLink}
        </Button>
      )}
      {mayChange && (
        <>
          <Button onClick={showAbout}>
            <SmileIcon size={18} />
            {texts.door}
          </Button>
          {room.topic === '' && (
            <Button onClick={showAbout}>
              <PencilIcon size={18} />
              {texts.topic}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** A direct conversation says whom it is with. */
function OfPeople({ room, name }: { readonly room: RoomInfo; readonly name: string }) {
  const { dm } = useScreenTexts();
  const people = room.people ?? [];
  const isNotes = people.every(({ user_id: id }) => id === chat().user?.id);
  return (
    <div className={styles.threshold} data-testid="threshold">
      <span className={styles.people}>
        {people.slice(0, 3).map(({ user_id: id, username }) => (
          <Avatar key={id} size="large" userId={id} username={username} />
        ))}
      </span>
      <div className={styles.words}>
        <h2 className={styles.title}>{name}</h2>
        <p className={styles.hint}>
          {dm.beginning(name)} {isNotes ? dm.readNotes : dm.readBy(name)}
        </p>
      </div>
    </div>
  );
}
