/** Where a test can plant a bug: each returns what a server process gets in place of the real part. */
import type { Bus } from '../../server/data/bus/bus.ts';
import type { Store } from '../../server/data/storage/store.ts';
import type { RosterExchange } from '../../server/features/presence/cluster/exchange.ts';
import type { Disk } from './disk.ts';

export interface Plants {
  plant?: (store: Store, disk: Disk) => Store;
  plantBus?: (bus: Bus) => Bus;
  plantExchange?: (exchange: RosterExchange) => RosterExchange;
}
