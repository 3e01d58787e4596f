import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../../client/index.ts';
import { normalizeRoomName } from '../../../protocol/names.ts';
import { useText } from '../i18n/catalogue.ts';
import type { Catalogue } from '../i18n/en.ts';
import { explain } from '../i18n/errors.ts';
import { type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { useRooms } from '../stores/rooms.ts';
import { goToRoom } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from '../ui/DialogBody.module.css';
import { Field } from '../ui/Field.tsx';

/** Asks for a name, and opens the new room. */
export function CreateRoomDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const [{ suggestion, onCreated }] = useState(() => asked(useDialogs.getState().open));
  const [name, setName] = useState(suggestion);
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
    setBusy(true);
    try {
      const room = await useRooms.getState().create(name);
      // The user closed the dialog and went on to something else. The room is in the list.
      if (dialog.current?.open !== true) return;
      dialog.current.close();
      onCreated?.();
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
          <p className={styles.hint}>{text.createRoom.hint}</p>
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

/** What the dialog was opened with. */
function asked(open: OpenDialog): { readonly suggestion: string; readonly onCreated?: () => void } {
  return open.kind === 'create_room' ? open : { suggestion: '' };
}

function roomError(text: Catalogue, error: unknown): string {
  if (error instanceof ApiError && error.status === 409) return text.createRoom.taken;
  if (error instanceof ApiError && error.status === 400) return text.createRoom.broken;
  return explain(text, error);
}
