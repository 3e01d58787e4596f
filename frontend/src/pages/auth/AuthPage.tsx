import { useText } from '../../i18n/catalogue.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './AuthPage.module.css';

/** Signing in and up. A user with a session does not see it. */
export const AuthPage = lazyPart(async () => (await import('./Entrance.tsx')).Entrance, NotLoaded);

/** The page would be empty otherwise: there are no toasts without a session. */
function NotLoaded() {
  const text = useText();
  return (
    <main className={styles.page}>
      <div role="alert">
        <h1>{text.errors.notLoaded}</h1>
      </div>
    </main>
  );
}
