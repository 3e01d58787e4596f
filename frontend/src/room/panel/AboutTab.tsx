import { useState } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { leaveRoom } from '../../parts/rooms/leave-room.ts';
import { useFileLimits } from '../../stores/file-limits.ts';
import { roomRequests } from '../../stores/requests.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Door } from '../../ui/Door.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
import { CopyLinkButton } from '../header/CopyLinkButton.tsx';
import { AboutForm } from './AboutForm.tsx';
import { FileRetention } from './FileRetention.tsx';
import { PreviewChoice } from './PreviewChoice.tsx';
import styles from './RoomPanel.module.css';
import { RoomRights } from './RoomRights.tsx';

interface AboutTabProps {
  readonly room: RoomInfo;
  readonly onChanged: (room: RoomInfo) => void;
}

/** What the room is: to be changed by its moderators, to be read by all others. */
export function AboutTab({ room, onChanged }: AboutTabProps) {
  const text = useText();
  const { room: texts, browse, rowMenu } = useScreenTexts();
  const { busy, run } = useRequest();
  const files = useFileLimits();
  const { id, name, topic, description, emoji, kind, archived, members, me_role: role } = room;
  const [question, setQuestion] = useState<'leave' | 'delete' | null>(null);
  const mayEdit = (role === 'owner' || role === 'moderator') && kind !== 'dm';

  function leave(): void {
    void run(() => leaveRoom(room, rowMenu, text));
  }

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
        {kind === 'dm' ? texts.isDm : kind === 'private' ? texts.isPrivate : texts.isPublic}
      </p>
      <p className={styles.hint}>{browse.members(members)}</p>
      {kind !== 'dm' && <CopyLinkButton roomId={id} />}
      {archived && <p className={styles.hint}>{texts.archived}</p>}
      {mayEdit && <RoomRights room={room} onChanged={onChanged} />}
      {mayEdit && <PreviewChoice room={room} onChanged={onChanged} />}
      {mayEdit && files !== null && <FileRetention room={room} onChanged={onChanged} />}
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
            <Button look="danger" aria-disabled={busy} onClick={() => setQuestion('delete')}>
              {texts.deleteRoom}
            </Button>
          )}
          <Button
            look="danger"
            aria-disabled={busy}
            onClick={() => (kind === 'public' ? leave() : setQuestion('leave'))}
          >
            {texts.leave}
          </Button>
        </div>
      )}
      {question === 'leave' && (
        <ConfirmDialog
          title={texts.leaveThis(name)}
          hint={texts.leaveHint}
          stay={texts.stayIn}
          confirm={texts.leave}
          look="danger"
          onClose={() => setQuestion(null)}
          onConfirm={leave}
        />
      )}
      {question === 'delete' && (
        <ConfirmDialog
          title={texts.deleteThis(name)}
          hint={texts.deleteHint}
          stay={texts.keepRoom}
          confirm={texts.deleteRoom}
          look="danger"
          onClose={() => setQuestion(null)}
          onConfirm={() => void run(() => roomRequests().delete(id))}
        />
      )}
    </>
  );
}
