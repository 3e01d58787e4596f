import { useScreenTexts } from '../i18n/screens.ts';
import { Button } from '../ui/Button.tsx';
import { useCopy } from '../ui/use-copy.ts';
import styles from './Admin.module.css';

/** A link that is shown this once. */
export function MadeLink({ url, hint }: { readonly url: string; readonly hint: string }) {
  const { admin } = useScreenTexts();
  const { copied, copy } = useCopy(url);
  return (
    <div className={styles.link} role="status" data-testid="made-link">
      <span>{url}</span>
      <span className={styles.hint}>{hint}</span>
      <Button onClick={() => void copy()}>{copied ? admin.copied : admin.copy}</Button>
    </div>
  );
}
