import { useState } from 'react';
import { useFullTexts } from '../../i18n/screens.ts';
import { AlertIcon } from '../../ui/late-icons.tsx';
import styles from './Entrance.module.css';

/** Why the user has to wait, and how long. The seconds count down on the screen; a screen reader hears them once. */
export function TooManyTries({ secondsLeft }: { readonly secondsLeft: number }) {
  const text = useFullTexts();
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
