import type { ConnectionState, RoomState } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import type { Catalogue } from '../i18n/en.ts';
import { navigate } from '../stores/route.ts';
import { IconButton } from '../ui/Button.tsx';
import { BackIcon } from '../ui/icons.tsx';
import styles from './RoomHeader.module.css';

/** Where one is, with how many others, and whether the line is up. */
export function RoomHeader({ name, state }: { readonly name: string; readonly state: RoomState }) {
  const text = useText();
  const { connection, online } = state;
  return (
    <header className={styles.header}>
      <IconButton label={text.room.back} className={styles.back} onClick={() => navigate('/')}>
        <BackIcon />
      </IconButton>
      <div className={styles.title}>
        <h1 className={styles.name}>{name}</h1>
        {online !== null && (
          <p className={styles.online} data-testid="online-count">
            {text.room.online(online)}
          </p>
        )}
      </div>
      <p className={styles.connection} data-status={connection.status} data-testid="connection-state">
        <span className={styles.dot} />
        <span className={styles.label}>{connectionLabel(text, connection, state.connections > 0)}</span>
      </p>
    </header>
  );
}

/** The connection in one or two words. */
export function connectionLabel(text: Catalogue, connection: ConnectionState, wasOpen: boolean): string {
  // Without a network nothing is being tried that could succeed, unless the server is on this very device.
  if (connection.status !== 'open' && !navigator.onLine) return text.connection.offline;
  switch (connection.status) {
    case 'open':
      return text.connection.connected;
    case 'connecting':
      return wasOpen ? text.connection.reconnecting : text.connection.connecting;
    case 'waiting':
      return text.connection.reconnecting;
    case 'closed':
      return text.connection.offline;
  }
}
