import { useEffect, useRef, useState } from 'react';
import { useFullTexts } from '../i18n/screens.ts';
import { chat } from '../stores/chat.ts';
import { signOut } from '../stores/session.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from '../ui/DialogBody.module.css';

/** Asks before signing out deletes unsent messages. */
export function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFullTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [count] = useState(() => chat().unsent);

  useEffect(() => dialog.current?.querySelector('button')?.focus(), []);

  return (
    <Dialog
      ref={dialog}
      onClose={onClose}
      role="alertdialog"
      aria-labelledby="sign-out-title"
      aria-describedby="sign-out-hint"
    >
      <div className={styles.body}>
        <h2 id="sign-out-title" className={styles.title}>
          {text.signOut.title(count)}
        </h2>
        <p id="sign-out-hint" className={styles.hint}>
          {text.signOut.hint}
        </p>
        <div className={styles.actions}>
          <Button onClick={() => dialog.current?.close()}>{text.signOut.stay}</Button>
          <Button
            look="danger"
            onClick={() => {
              dialog.current?.close();
              void signOut();
            }}
          >
            {text.menu.signOut}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
