import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../../client/index.ts';
import { EMOJI_MAX, ROOM_TOPIC_MAX } from '../../../protocol/limits.ts';
import { normalizeRoomName } from '../../../protocol/names.ts';
import { explain } from '../i18n/errors.ts';
import { type FullTexts, useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { roomRequests } from '../stores/requests.ts';
import { useRooms } from '../stores/rooms.ts';
import { goToRoom } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Choice.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from '../ui/DialogBody.module.css';
import { Field } from '../ui/Field.tsx';
import { lineError } from '../ui/hidden-characters.ts';
import { isOneEmoji } from '../ui/is-one-emoji.ts';

/** Asks for a name, and opens the new room. */
export function CreateRoomDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const screen = useScreenTexts();
  const { create } = screen;
  const [name, setName] = useState(() => suggestionOf(useDialogs.getState().open));
  const [topic, setTopic] = useState('');
  const [emoji, setEmoji] = useState('');
  const [kind, setKind] = useState<'public' | 'private'>('public');
  const [isBadEmoji, setBadEmoji] = useState(false);
  const [topicError, setTopicError] = useState<string>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  function refuse(why: string): void {
    setError(why);
    dialog.current?.querySelector('input')?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (normalizeRoomName(name) === null) {
      refuse(text.createRoom.broken);
      return;
    }
    const sign = emoji.trim();
    if (sign !== '' && !isOneEmoji(sign)) {
      setBadEmoji(true);
      return;
    }
    const wrong = lineError(screen, topic, ROOM_TOPIC_MAX);
    if (wrong !== undefined) {
      setTopicError(wrong);
      return;
    }
    setBusy(true);
    try {
      const room = await roomRequests().create({
        name,
        kind,
        ...(topic.trim() === '' ? {} : { topic: topic.trim() }),
        ...(sign === '' ? {} : { emoji: sign }),
      });
      useRooms.getState().add(room);
      // The user closed the dialog and went on to something else. The room is in the list.
      if (dialog.current?.open !== true) return;
      dialog.current.close();
      goToRoom(room.id);
    } catch (failure) {
      refuse(roomError(text, failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog ref={dialog} onClose={onClose} aria-labelledby="create-room-title">
      <form className={styles.body} onSubmit={submit} noValidate>
        <div>
          <h2 id="create-room-title" className={styles.title}>
            {text.createRoom.title}
          </h2>
          <p className={styles.hint}>{kind === 'public' ? create.publicHint : create.privateHint}</p>
        </div>
        <Field
          label={text.createRoom.name}
          name="room"
          placeholder={text.createRoom.placeholder}
          autoComplete="off"
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setError(undefined);
          }}
          rule={text.createRoom.rule}
          error={error}
        />
        <Choice
          name="kind"
          legend={create.kind}
          chosen={kind}
          onChoose={setKind}
          options={[
            { value: 'public', label: create.public },
            { value: 'private', label: create.private },
          ]}
        />
        <Field
          label={create.topic}
          maxLength={ROOM_TOPIC_MAX}
          autoComplete="off"
          value={topic}
          onChange={(event) => {
            setTopic(event.target.value);
            setTopicError(undefined);
          }}
          error={topicError}
        />
        <Field
          label={create.emoji}
          maxLength={EMOJI_MAX}
          autoComplete="off"
          value={emoji}
          onChange={(event) => {
            setEmoji(event.target.value);
            setBadEmoji(false);
          }}
          error={isBadEmoji ? create.badEmoji : undefined}
        />
        <div className={styles.actions}>
          <Button onClick={() => dialog.current?.close()}>{text.createRoom.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={busy}>
            {busy ? text.createRoom.creating : text.createRoom.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The name that the dialog was opened with. */
function suggestionOf(open: OpenDialog): string {
  return open.kind === 'create_room' ? open.suggestion : '';
}

function roomError(text: FullTexts, error: unknown): string {
  if (error instanceof ApiError && error.status === 409) return text.createRoom.taken;
  if (error instanceof ApiError && error.status === 400) return text.createRoom.broken;
  return explain(text, error);
}
