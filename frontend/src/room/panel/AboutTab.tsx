import { type FormEvent, useState } from 'react';
import { ApiError, type RoomInfo } from '../../../../client/index.ts';
import { EMOJI_MAX, ROOM_DESCRIPTION_MAX, ROOM_TOPIC_MAX } from '../../../../protocol/limits.ts';
import { normalizeRoomName } from '../../../../protocol/names.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { roomRequests } from '../../stores/requests.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { lineError, linesError } from '../../ui/hidden-characters.ts';
import { isOneEmoji } from '../../ui/is-one-emoji.ts';
import { AlertIcon } from '../../ui/late-icons.tsx';
import { SaveRow } from '../../ui/SaveRow.tsx';
import { Tile } from '../../ui/Tile.tsx';
import { useRequest } from '../../ui/use-loaded.ts';
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
            <Tile size="large" roomId={id} name={name} emoji={emoji} />
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

interface Errors {
  readonly name?: string | undefined;
  readonly emoji?: string;
  readonly topic?: string | undefined;
  readonly description?: string | undefined;
}

function AboutForm({ room, onChanged }: AboutTabProps) {
  const text = useFullTexts();
  const screen = useScreenTexts();
  const { room: texts, create } = screen;
  const [name, setName] = useState(room.name);
  const [topic, setTopic] = useState(room.topic);
  const [emoji, setEmoji] = useState(room.emoji ?? '');
  const [description, setDescription] = useState(room.description);
  const [errors, setErrors] = useState<Errors>({});
  const [isSaved, setSaved] = useState(false);
  const { busy, run } = useRequest();

  function edit(change: () => void): void {
    change();
    setErrors({});
    setSaved(false);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const sign = emoji.trim();
    if (normalizeRoomName(name) === null) return setErrors({ name: texts.refused });
    if (sign !== '' && !isOneEmoji(sign)) return setErrors({ emoji: create.badEmoji });
    const wrong = {
      topic: lineError(screen, topic, ROOM_TOPIC_MAX),
      description: linesError(screen, description, ROOM_DESCRIPTION_MAX),
    };
    if (wrong.topic !== undefined || wrong.description !== undefined) return setErrors(wrong);
    void run(async () => {
      try {
        const patch = { name, topic: topic.trim(), description, emoji: sign === '' ? null : sign };
        onChanged(await roomRequests().update(room.id, patch));
        setSaved(true);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        setErrors({ name: text.createRoom.taken });
      }
    });
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.identity}>
        <Tile
          size="large"
          roomId={room.id}
          name={name}
          emoji={isOneEmoji(emoji.trim()) ? emoji.trim() : null}
        />
        <p>{name}</p>
      </div>
      <Field
        label={texts.name}
        autoComplete="off"
        value={name}
        onChange={(event) => edit(() => setName(event.target.value))}
        error={errors.name}
      />
      <Field
        label={texts.topic}
        autoComplete="off"
        maxLength={ROOM_TOPIC_MAX}
        value={topic}
        onChange={(event) => edit(() => setTopic(event.target.value))}
        rule={texts.topicRule}
        error={errors.topic}
      />
      <Field
        label={texts.emoji}
        autoComplete="off"
        maxLength={EMOJI_MAX}
        value={emoji}
        onChange={(event) => edit(() => setEmoji(event.target.value))}
        rule={texts.emojiRule}
        error={errors.emoji}
      />
      <label className={styles.label}>
        {texts.description}
        <textarea
          maxLength={ROOM_DESCRIPTION_MAX}
          value={description}
          onChange={(event) => edit(() => setDescription(event.target.value))}
          aria-invalid={errors.description !== undefined}
          aria-describedby={errors.description === undefined ? undefined : 'about-description-error'}
        />
      </label>
      {errors.description !== undefined && (
        <p id="about-description-error" className={styles.error}>
          <AlertIcon size={16} />
          {errors.description}
        </p>
      )}
      <SaveRow busy={busy} isSaved={isSaved} />
    </form>
  );
}
