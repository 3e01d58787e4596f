import { ApiError } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { explain } from '../i18n/errors.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { navigate, roomPath } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import styles from './JumpFailed.module.css';

interface JumpFailedProps {
  readonly roomId: number;
  readonly error: unknown;
  readonly onAgain: () => void;
}

/** An address leads to a message that is not there, or that cannot be read now. */
export function JumpFailed({ roomId, error, onAgain }: JumpFailedProps) {
  const text = useText();
  const { jump } = useScreenTexts();
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <div className={styles.bar} role="alert" data-testid="jump-failed">
      <p>{isGone ? jump.gone : explain(text, error)}</p>
      {!isGone && <Button onClick={onAgain}>{jump.again}</Button>}
      <Button look="quiet" onClick={() => navigate(roomPath(roomId), 'replace')}>
        {jump.toLatest}
      </Button>
    </div>
  );
}
