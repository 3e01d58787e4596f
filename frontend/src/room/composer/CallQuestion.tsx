import { useEffect, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from '../../ui/DialogBody.module.css';
import type { Call } from './calls.ts';

interface CallQuestionProps {
  readonly call: Call;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

/** Asks before a message calls many people. */
export function CallQuestion({ call, onSend, onClose }: CallQuestionProps) {
  const { completing } = useScreenTexts();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => dialog.current?.querySelector('button')?.focus(), []);

  return (
    <Dialog
      ref={dialog}
      onClose={onClose}
      role="alertdialog"
      aria-labelledby="call-title"
      aria-describedby="call-hint"
    >
      <div className={styles.body}>
        <h2 id="call-title" className={styles.title}>
          {completing.notify(call.count)}
        </h2>
        <p id="call-hint" className={styles.hint}>
          {completing.notifyHint[call.room]}
        </p>
        <div className={styles.actions}>
          <Button onClick={onClose}>{completing.stay}</Button>
          <Button
            look="primary"
            onClick={() => {
              onClose();
              onSend();
            }}
          >
            {completing.send}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
