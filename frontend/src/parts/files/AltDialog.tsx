import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { Upload } from '../../../../client/index.ts';
import { FILE_ALT_MAX } from '../../../../protocol/limits.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useFiles } from '../../stores/files.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import { Field } from '../../ui/Field.tsx';

/** What stands for a picture where it cannot be seen. */
export function AltDialog({ upload, onClose }: { readonly upload: Upload; readonly onClose: () => void }) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const [alt, setAlt] = useState(upload.alt ?? '');
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => dialog.current?.querySelector('input')?.focus(), []);

  function save(event: FormEvent): void {
    event.preventDefault();
    // It is a form within that of the composer.
    event.stopPropagation();
    useFiles.getState().uploads?.setAlt(upload.id, alt.trim());
    onClose();
  }

  return (
    <Dialog ref={dialog} onClose={onClose} aria-labelledby={id}>
      <form className={body.body} onSubmit={save}>
        <h2 id={id} className={body.title}>
          {texts.describe(isolate(upload.name))}
        </h2>
        <Field
          label={texts.description}
          rule={texts.descriptionHint}
          value={alt}
          maxLength={FILE_ALT_MAX}
          onChange={({ target }) => setAlt(target.value)}
        />
        <div className={body.actions}>
          <Button onClick={onClose}>{text.dialogs.close}</Button>
          <Button type="submit" look="primary">
            {texts.descriptionSave}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
