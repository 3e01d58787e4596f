import { useScreenTexts } from '../i18n/screens.ts';
import { Button } from './Button.tsx';
import styles from './MadeLink.module.css';
import { useCopy } from './use-copy.ts';

/** A new link, shown this once: the server keeps only its hash. */
export function MadeLink({ url, hint }: { readonly url: string; readonly hint: string }) {
  const { room } = useScreenTexts();
  const { copied, copy } = useCopy(url);
  return (
    <div className={styles.link} role="status" data-testid="made-link">
      <span>{url}</span>
      <span className={styles.hint}>{hint}</span>
      <Button look="primary" onClick={() => void copy()}>
        {copied ? room.copied : room.copy}
      </Button>
    </div>
  );
}
