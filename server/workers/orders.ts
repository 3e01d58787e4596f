/** What a worker and its primary process say to each other, over the channel that Node opens between them. */
import type { AddressInfo } from 'node:net';
import type { App } from '../app.ts';

/** From a worker: it accepts connections. */
export interface Ready {
  address: AddressInfo;
  /** Makes its user the first admin; undefined when there is an admin. */
  setupCode?: string | undefined;
}

/**
 * To a worker that is replaced. `accept no more`: it goes on with the connections that it has. `hand over`: it stops,
 * and its clients come back at once.
 */
export type Order = 'accept no more' | 'hand over';

/** Reports to the primary process that this worker is ready, and carries out its orders. */
export function obeyPrimary(app: App, onFatal: (error: Error) => void): void {
  process.on('message', (order: Order) => {
    if (order === 'accept no more') app.acceptNoMore();
    else app.stop({ isHandedOver: true }).then(() => process.exit(0), onFatal);
  });
  const { address, setupCode } = app;
  process.send?.({ address, setupCode } satisfies Ready);
}
