import { useScreenTexts } from '../../i18n/screens.ts';
import { DownIcon } from '../../ui/late-icons.tsx';
import styles from './TimelinePill.module.css';

interface TimelinePillProps {
  /** Messages below that the reader has not seen. */
  readonly unseen: number;
  readonly onClick: () => void;
}

/** Leads a reader further up to the end, and counts what has come there. */
export function TimelinePill({ unseen, onClick }: TimelinePillProps) {
  const { timeline: words } = useScreenTexts();
  return (
    <button
      type="button"
      className={styles.pill}
      data-new={unseen > 0}
      onClick={onClick}
      aria-label={words.toEnd(unseen)}
      data-testid="to-end"
    >
      <DownIcon size={16} />
      {unseen > 0 && words.newMessages(unseen)}
    </button>
  );
}
