import { useText } from '../../i18n/catalogue.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './TimelineOlder.module.css';

interface TimelineOlderProps {
  readonly status: 'idle' | 'loading' | 'failed';
  readonly onLoad: () => void;
}

/** Above the oldest message that is loaded. */
export function TimelineOlder({ status, onLoad }: TimelineOlderProps) {
  const text = useText();
  return (
    <div className={styles.older}>
      {status === 'failed' && <p role="alert">{text.room.olderFailed}</p>}
      <Button onClick={onLoad} aria-disabled={status === 'loading'}>
        {text.room.older}
      </Button>
    </div>
  );
}
