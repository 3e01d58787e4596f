import { type FormEvent, useState } from 'react';
import { useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useRoom } from '../stores/room.ts';
import { messagePath, navigate } from '../stores/route.ts';
import { showToast } from '../stores/toasts.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import body from '../ui/DialogBody.module.css';
import { Field } from '../ui/Field.tsx';
import { useRequest } from '../ui/use-loaded.ts';

/** Leads to the first message of a day, in the reader's time zone. */
export function JumpDateDialog({ onClose }: { readonly onClose: () => void }) {
  const { createRoom } = useFullTexts();
  const { jump } = useScreenTexts();
  const isSheet = useMedia(NARROW);
  const [date, setDate] = useState(() => {
    const { open } = useDialogs.getState();
    return dateOf(open.kind === 'jump_date' ? open.day : Date.now());
  });
  const { busy, run } = useRequest();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { room } = useRoom.getState();
    const day = new Date(`${date}T00:00:00`);
    if (room === null || Number.isNaN(day.getTime())) return;
    void run(async () => {
      const target = await room.jump({ time: day.toISOString() });
      if (target === null) showToast(jump.nothing);
      // So that the way back leads to where the reader was.
      else navigate(messagePath(room.id, target.id));
      onClose();
    });
  }

  return (
    <Dialog isSheet={isSheet} onClose={onClose} aria-labelledby="jump-date-title">
      <form className={body.body} onSubmit={submit}>
        <h2 id="jump-date-title" className={body.title}>
          {jump.title}
        </h2>
        <Field
          label={jump.date}
          type="date"
          required
          max={dateOf(Date.now())}
          value={date}
          onChange={({ target }) => setDate(target.value)}
        />
        <div className={body.actions}>
          <Button onClick={onClose}>{createRoom.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={busy}>
            {jump.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The local date of a time, as an input has it. */
function dateOf(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
