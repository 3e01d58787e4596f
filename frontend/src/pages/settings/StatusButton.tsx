import { useScreenTexts } from '../../i18n/screens.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useStatusLine } from '../../stores/people.ts';
import { SmileIcon } from '../../ui/late-icons.tsx';
import { meButton } from '../../ui/me-button.ts';
import styles from './StatusButton.module.css';

/**
 * The user's status, or an invitation to set one. It opens what sets it, beside the avatar that the account menu is of.
 */
export function StatusButton({ userId }: { readonly userId: number }) {
  const { status: texts } = useScreenTexts();
  const line = useStatusLine(userId);
  return (
    <button
      type="button"
      className={styles.button}
      aria-haspopup="dialog"
      onClick={() => useDialogs.getState().show({ kind: 'status', anchor: meButton() })}
    >
      {line === null && <SmileIcon size={18} />}
      <span className="visually-hidden">{line !== null && `${texts.title}: `}</span>
      <span className={styles.line}>{line ?? texts.title}</span>
    </button>
  );
}
