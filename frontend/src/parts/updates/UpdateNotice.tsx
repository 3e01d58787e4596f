import { useScreenTexts } from '../../i18n/screens.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { applyUpdate, dismissUpdate, useUpdate } from './service-worker.ts';
import styles from './UpdateNotice.module.css';

/** Says that a newer build is there. Nothing changes until the user asks for it, or opens the client again. */
export function UpdateNotice() {
  const { update } = useScreenTexts();
  const ready = useUpdate((store) => store.ready);
  return (
    <div role="status" className={styles.place}>
      {ready && (
        <div className={styles.notice} data-testid="update-notice">
          <span className={styles.text}>{update.ready}</span>
          <button type="button" className={styles.reload} onClick={applyUpdate}>
            {update.reload}
          </button>
          <IconButton label={update.later} onClick={dismissUpdate}>
            <CloseIcon size={16} />
          </IconButton>
        </div>
      )}
    </div>
  );
}
