import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { FILE_ALT_MAX } from '../../../../protocol/limits.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import body from '../../ui/DialogBody.module.css';
import styles from './AltDialog.module.css';

interface AltDialogProps {
  readonly name: string;
  readonly alt: string;
  readonly isBusy?: boolean;
  readonly onSave: (alt: string) => void;
  readonly onClose: () => void;
}

/** What stands for a file where it cannot be seen. It is one line, so Enter saves it. */
export function AltDialog({ name, alt: before, isBusy = false, onSave, onClose }: AltDialogProps) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const [alt, setAlt] = useState(before);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const field = dialog.current?.querySelector('textarea');
    field?.focus();
    field?.select();
  }, []);

  function save(event: FormEvent): void {
    event.preventDefault();
    // It may be a form within that of the composer.
    event.stopPropagation();
    if (!isBusy) onSave(alt.replaceAll(/\s+/g, ' ').trim());
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <Dialog ref={dialog} onClose={onClose} aria-labelledby={`${id}-title`}>
      <form className={body.body} onSubmit={save}>
        <h2 id={`${id}-title`} className={body.title}>
          {texts.describe(isolate(name))}
        </h2>
        <div className={styles.field}>
          <label htmlFor={id} className={styles.label}>
            {texts.description}
          </label>
          <textarea
            id={id}
            className={styles.text}
            rows={3}
            value={alt}
            maxLength={FILE_ALT_MAX}
            aria-describedby={`${id}-hint ${id}-count`}
            onKeyDown={onKeyDown}
            onChange={({ target }) => setAlt(target.value)}
          />
          <p className={styles.foot}>
            <span id={`${id}-hint`}>{texts.descriptionHint}</span>
            <span id={`${id}-count`} className={styles.count}>
              {texts.descriptionCount(alt.length, FILE_ALT_MAX)}
            </span>
          </p>
        </div>
        <div className={body.actions}>
          <Button onClick={onClose}>{text.dialogs.close}</Button>
          <Button type="submit" look="primary" aria-disabled={isBusy}>
            {texts.descriptionSave}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
