import { useText } from '../i18n/catalogue.ts';
import { useToasts } from '../stores/toasts.ts';
import { IconButton } from '../ui/Button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import styles from './Toasts.module.css';

/** Where toasts appear and are announced. */
export function Toasts() {
  const text = useText();
  const { toasts, dismiss } = useToasts();
  return (
    <div className={styles.place} role="status" data-testid="toasts">
      {toasts.map(({ id, text: said, action }) => (
        <div key={id} className={styles.toast}>
          <p className={styles.text}>{said}</p>
          {action !== undefined && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton label={text.dialogs.close} onClick={() => dismiss(id)}>
            <CloseIcon size={16} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
