import { useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { AlertIcon } from '../ui/icons.tsx';
import styles from './AuthCard.module.css';

/** Why there is nothing to do but wait, and for how long. It counts for the eye; a screen reader is told once. */
export function TooManyTries({ secondsLeft }: { readonly secondsLeft: number }) {
  const text = useText();
  const [atFirst] = useState(secondsLeft);
  return (
    <div className={styles.error} data-testid="too-many">
      <AlertIcon size={18} />
      <p className="visually-hidden" role="alert">
        {text.auth.tooMany(atFirst)}
      </p>
      <p aria-hidden="true">{text.auth.tooMany(secondsLeft)}</p>
    </div>
  );
}
