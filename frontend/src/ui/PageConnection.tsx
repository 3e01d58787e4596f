import { useEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { AlertIcon } from './late-icons.tsx';
import styles from './PageConnection.module.css';

/** A shorter drop is not shown. */
const QUIET_MS = 2000;

/** Beside the title of a page: that the connection is down, so that the page may show what was there before. */
export function PageConnection() {
  const { connection } = useText();
  const isCurrent = useOwnRooms((store) => store.isCurrent);
  const wasCurrent = useOwnRooms((store) => store.wasCurrent);
  const [isDown, setDown] = useState(false);

  useEffect(() => {
    if (isCurrent) return setDown(false);
    const timer = setTimeout(() => setDown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isCurrent]);

  const words = !navigator.onLine
    ? connection.offline
    : wasCurrent
      ? connection.reconnecting
      : connection.connecting;
  return (
    <p className={styles.place} role="status">
      {isDown && (
        <span className={styles.banner} data-testid="connection-banner">
          <AlertIcon size={16} />
          {words}
        </span>
      )}
    </p>
  );
}
