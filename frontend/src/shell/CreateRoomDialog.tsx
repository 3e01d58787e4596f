import { useRef } from 'react';
import { ROOM_TOPIC_MAX } from '../../../protocol/limits.ts';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { DoorPicker } from '../parts/rooms/DoorPicker.tsx';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Choice.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from '../ui/DialogBody.module.css';
import { Field } from '../ui/Field.tsx';
import { useNewRoom } from './use-new-room.ts';

/** Asks for a name, and opens the new room. */
export function CreateRoomDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const { create } = useScreenTexts();
  const isSheet = useMedia(NARROW);
  const dialog = useRef<HTMLDialogElement>(null);
  const { draft, errors, busy, change, submit } = useNewRoom(dialog);

  return (
    <Dialog ref={dialog} isSheet={isSheet} onClose={onClose} aria-labelledby="create-room-title">
      <form className={styles.body} onSubmit={submit} noValidate>
        <div>
          <h2 id="create-room-title" className={styles.title}>
            {text.createRoom.title}
          </h2>
          <p className={styles.hint}>{draft.kind === 'public' ? create.publicHint : create.privateHint}</p>
        </div>
        <Field
          label={text.createRoom.name}
          name="room"
          placeholder={text.createRoom.placeholder}
          autoComplete="off"
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          error={errors.name}
        />
        <Choice
          name="kind"
          look="field"
          legend={create.kind}
          chosen={draft.kind}
          onChoose={(kind) => change({ kind })}
          options={[
            { value: 'public', label: create.public },
            { value: 'private', label: create.private },
          ]}
        />
        <Field
          label={create.topic}
          maxLength={ROOM_TOPIC_MAX}
          autoComplete="off"
          value={draft.topic}
          onChange={(event) => change({ topic: event.target.value })}
          error={errors.topic}
        />
        <DoorPicker name={draft.name} hue={draft.hue} emoji={draft.emoji} onChange={change} />
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
