import { useText } from '../../i18n/catalogue.ts';
import { UpIcon } from '../../ui/icons.tsx';
import styles from './SendButton.module.css';

/** Sends the text. It is grey until there is something to send. */
export function SendButton({ isReady }: { readonly isReady: boolean }) {
  const text = useText();
  return (
    <button
      type="submit"
      className={styles.send}
      aria-label={text.composer.send}
      aria-disabled={!isReady}
      // A tap here leaves the focus in the field, and a phone's keyboard open.
      onPointerDown={(event) => event.preventDefault()}
    >
      <UpIcon />
    </button>
  );
}
