import { useScreenTexts } from '../i18n/screens.ts';
import { Button } from './Button.tsx';
import styles from './SaveRow.module.css';

interface SaveRowProps {
  /** The button's label. Default: Save. */
  readonly label?: string;
  readonly busy: boolean;
  /** Nothing has changed since the form was saved. */
  readonly isSaved: boolean;
}

/** The end of a form: its button, and that it is saved. */
export function SaveRow({ label, busy, isSaved }: SaveRowProps) {
  const { save, saved } = useScreenTexts();
  return (
    <div className={styles.row}>
      <Button type="submit" look="primary" aria-disabled={busy}>
        {label ?? save}
      </Button>
      <span className={styles.saved} role="status">
        {isSaved && saved}
      </span>
    </div>
  );
}
