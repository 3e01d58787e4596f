/** Puts together what decides about notifications. */
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { LogConsumer } from '../consumers/log-consumer.ts';
import { ONLINE, type Presence } from '../presence/presence.ts';
import type { Sender } from '../push/sender.ts';
import { Inbox } from './inbox.ts';
import { Notifier } from './notifier.ts';
import { Waiting } from './waiting.ts';

export interface ComposeParts {
  store: Store;
  bus: Bus;
  presence: Presence;
  sender: Sender;
  log: Logger;
  now: Now;
  /** Other processes use the database, too. */
  isShared: boolean;
}

export function composeNotifications({ isShared, ...parts }: ComposeParts) {
  const { store, bus, presence, log, now } = parts;
  return {
    inbox: new Inbox({ store, isOnline: (userId) => presence.has(ONLINE, userId), now }),
    startNotifier() {
      const notifier = new Notifier({ ...parts, waiting: new Waiting(parts) });
      return new LogConsumer(notifier, { store, bus, log, now, isShared });
    },
  };
}
