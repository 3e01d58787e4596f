import { useCallback, useState } from 'react';
import { notificationsApi } from '../../../client/index.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { chat } from '../stores/chat.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from '../ui/DialogBody.module.css';
import { WhenLoaded } from '../ui/Page.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

/** Why a message notified the user, or did not. */
export function WhyDialog({ onClose }: { readonly onClose: () => void }) {
  const { why, close } = useScreenTexts();
  const [open] = useState(() => useDialogs.getState().open);
  const load = useCallback(async () => {
    if (open.kind !== 'why') throw new Error('another dialog is open');
    return await notificationsApi(chat().api.requests).why(open.roomId, open.messageId);
  }, [open]);
  const { loaded, reload } = useLoaded(load);
  return (
    <Dialog onClose={onClose} aria-labelledby="why-title">
      <div className={styles.body}>
        <h2 id="why-title" className={styles.title}>
          {why.title}
        </h2>
        <WhenLoaded loaded={loaded} onRetry={reload}>
          {({ reason, decision, detail }) => (
            <div className={styles.hint} data-testid="why" role="status">
              <p>{reason === null ? why.noReason : why.reasons[reason]}</p>
              <p>{why.decisions[decision]}</p>
              {detail !== null && <p>{why.details[detail]}</p>}
            </div>
          )}
        </WhenLoaded>
        <div className={styles.actions}>
          <Button onClick={onClose}>{close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
