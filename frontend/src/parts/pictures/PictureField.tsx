import { type ReactNode, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useFileLimits } from '../../stores/file-limits.ts';
import { Button } from '../../ui/Button.tsx';
import { CropDialog } from './CropDialog.tsx';
import type { PictureKind } from './make-picture.ts';
import styles from './PictureField.module.css';
import { usePictureField } from './use-picture-field.ts';

interface PictureFieldProps {
  readonly kind: PictureKind;
  /** How it looks now. */
  readonly children: ReactNode;
  readonly hasPicture: boolean;
  /** What is said once one was chosen; by default, that it is saved. */
  readonly chosen?: string;
  readonly onChosen: (picture: Blob) => Promise<void>;
  readonly onRemove: () => Promise<void>;
}

/** A picture of a person or of the server: it is chosen, dropped or pasted, or removed. */
export function PictureField({ kind, children, hasPicture, chosen, onChosen, onRemove }: PictureFieldProps) {
  const { pictures: texts } = useScreenTexts();
  const isOn = useFileLimits() !== null;
  const input = useRef<HTMLInputElement>(null);
  const change = useRef<HTMLButtonElement>(null);
  const { picture, isOver, busy, note, error, run, take, close, setNote, drops } = usePictureField(isOn);

  async function remove(): Promise<void> {
    await onRemove();
    setNote(texts.removed);
    change.current?.focus();
  }

  return (
    <div className={styles.field} data-over={isOver} data-testid="picture-field" {...drops}>
      {children}
      <div className={styles.side}>
        <div className={styles.buttons}>
          {isOn && (
            <Button ref={change} aria-disabled={busy} onClick={() => input.current?.click()}>
              {hasPicture ? texts.change : texts.add}
            </Button>
          )}
          {hasPicture && (
            <Button look="quiet" aria-disabled={busy} onClick={() => void run(remove)}>
              {texts.remove}
            </Button>
          )}
        </div>
        {isOn && <p className={`${styles.hint} ${styles.tip}`}>{texts.hint}</p>}
        <p role="status" className={styles.hint}>
          {note}
        </p>
        {error !== '' && (
          <p role="alert" className={styles.error}>
            {error}
          </p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        data-testid="picture-input"
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {picture !== null && (
        <CropDialog
          kind={kind}
          picture={picture}
          onChosen={async (made) => {
            await onChosen(made);
            setNote(chosen ?? texts.saved);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
