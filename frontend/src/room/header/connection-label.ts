import type { ConnectionState } from '../../../../client/index.ts';
import type { Catalogue } from '../../i18n/en.ts';

/** The connection in one or two words. */
export function connectionLabel(text: Catalogue, connection: ConnectionState, wasOpen: boolean): string {
  // Without a network no attempt can succeed, unless the server is on this device.
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
