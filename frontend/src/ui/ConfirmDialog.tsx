import { useEffect, useId, useRef } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import styles from './DialogBody.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  /** What follows from it. */
  readonly hint: string;
  /** The button that changes nothing. It has the focus. */
  readonly stay: string;
  readonly confirm: string;
  readonly look: 'primary' | 'danger';
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done. */
export function ConfirmDialog({ title, hint, stay, confirm, look, onConfirm, onClose }: ConfirmDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => dialog.current?.querySelector('button')?.focus(), []);

  return (
    <Dialog
      ref={dialog}
      onClose={onClose}
      role="alertdialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}hint`}
    >
      <div className={styles.body}>
        <h2 id={`${id}title`} className={styles.title}>
          {title}
        </h2>
        <p id={`${id}hint`} className={styles.hint}>
          {hint}
        </p>
        <div className={styles.actions}>
          <Button onClick={onClose}>{stay}</Button>
          <Button
            look={look}
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
