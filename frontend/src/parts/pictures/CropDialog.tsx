import { type FormEvent, useId, useRef, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { WHOLE, type Zoom } from '../files/zoom.ts';
import styles from './CropDialog.module.css';
import { CropStage } from './CropStage.tsx';
import { makePicture, type OpenPicture, type PictureKind } from './make-picture.ts';
import { pictureError } from './picture-error.ts';

interface CropDialogProps {
  readonly kind: PictureKind;
  readonly picture: OpenPicture;
  /** Gives it to the server. The dialog says why it was refused. */
  readonly onChosen: (picture: Blob) => Promise<void>;
  readonly onClose: () => void;
}

/** Chooses the square of a picture that is shown. */
export function CropDialog({ kind, picture, onChosen, onClose }: CropDialogProps) {
  const text = useText();
  const screen = useScreenTexts();
  const { pictures: texts } = screen;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const zoom = useRef<Zoom>(WHOLE);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onChosen(await makePicture(kind, picture, zoom.current));
      onClose();
    } catch (cause) {
      setError(pictureError(text, screen, cause));
      setBusy(false);
    }
  }

  return (
    <Dialog onClose={onClose} aria-labelledby={id}>
      <form ref={form} className={body.body} onSubmit={save}>
        <h2 id={id} className={body.title}>
          {texts.crop}
        </h2>
        <CropStage
          kind={kind}
          picture={picture}
          onZoom={(next) => {
            zoom.current = next;
          }}
          onEnter={() => form.current?.requestSubmit()}
        />
        {error !== undefined && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
        <div className={body.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={busy}>
            {texts.use}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
