/** What the other parts stand on. */
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Presence } from '../../features/presence/presence.ts';
import type { Now } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';

export interface Base {
  config: Config;
  log: Logger;
  store: Store;
  bus: Bus;
  epoch: string;
  now: Now;
  presence: Presence;
}
