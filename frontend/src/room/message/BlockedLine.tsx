import { useScreenTexts } from '../../i18n/screens.ts';
import styles from './BlockedLine.module.css';

interface BlockedLineProps {
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
  readonly onShow: () => void;
}

/** Stands in place of a message by somebody whom the reader has blocked. */
export function BlockedLine({ active, onShow }: BlockedLineProps) {
  const { blocked } = useScreenTexts();
  return (
    <p className={styles.line} data-landmark data-testid="blocked-message">
      {blocked.message}
      {' · '}
      <button
        type="button"
        tabIndex={active ? 0 : -1}
        onClick={({ currentTarget }) => {
          // The button goes, and its message keeps the focus.
          currentTarget.closest<HTMLElement>('[data-row=message]')?.focus({ preventScroll: true });
          onShow();
        }}
      >
        {blocked.show}
      </button>
    </p>
  );
}
