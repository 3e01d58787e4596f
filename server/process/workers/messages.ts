/**
 * What a worker and its primary process say to each other, over the channel that Node opens between them. The primary
 * process may be of an older release than its workers.
 */
import type { AddressInfo } from 'node:net';

/** From a worker: it accepts connections. */
export interface Ready {
  address: AddressInfo;
  /** Makes its user the first admin; undefined when there is an admin. */
  setupCode?: string | undefined;
}

export type FromWorker =
  | Ready
  /** It is not ready, as something that it needs is away. */
  | { type: 'waiting' }
  /** Somebody scrapes this worker, and should get the metrics of all. */
  | { type: 'scrape'; id: number }
  | { type: 'metrics'; id: number; text: string };

/**
 * To a worker. One that is replaced is told `accept no more`, and goes on with the connections that it has; then `hand
 * over`: it stops, and its clients come back at once.
 */
export type ToWorker =
  | 'accept no more'
  | 'hand over'
  | { type: 'tell metrics'; id: number; worker: number }
  | { type: 'all metrics'; id: number; texts: string[]; silent: number };

/** Says something to the primary process, unless it is gone. */
export function tellPrimary(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
