/** Bugs that show only among several processes. */
import type { AppendOutcome, Heads } from '../../server/data/storage/store.ts';
import { InOrder } from '../../server/entrypoints/realtime/log/in-order.ts';
import { Channel } from '../../server/entrypoints/realtime/room/channel.ts';
import { Typing } from '../../server/features/presence/typing.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import { Subscriptions } from '../../server/platform/redis/subscriptions.ts';
import { Database, succeeded } from './database.ts';
import type { Disk } from './disk.ts';
import type { PlantedBug } from './planting.ts';
import { RowLocks } from './row-locks.ts';

const NEVER = new Promise<never>(() => {});
/** Longer than a simulation lasts. */
const FOR_EVER_MS = 1e9;

export const CLUSTER_BUGS: readonly PlantedBug[] = [
  {
    name: 'a batch without a receipt',
    from: 172,
    shows: /stored twice/,
    isOfClusters: true,
    plant: (patch) =>
      patch(
        Database.prototype,
        'append',
        () =>
          function (this: Database, caller, { batch }) {
            const run = (disk: Disk) => {
              const { results } = succeeded(disk.commit(batch));
              caller.onCommitted();
              return results as AppendOutcome[];
            };
            return this.write(caller, 'commit', { rows: [], run });
          },
      ),
  },
  {
    name: 'texts that are numbered before their room is locked',
    from: 16,
    shows: /./,
    isOfClusters: true,
    plant: (patch) =>
      patch(
        RowLocks.prototype,
        'take',
        (take) =>
          function (this: RowLocks, rows) {
            return take.call(
              this,
              rows.filter((row) => !row.startsWith('rooms')),
            );
          },
      ),
  },
  {
    name: 'rows that cross each other are waited for without a limit',
    shows: /converge|does not end|wait for/,
    isOfClusters: true,
    bus: (bus) => Object.create(bus, { crossingMs: { value: FOR_EVER_MS } }),
  },
  {
    name: 'a row that comes twice is delivered twice',
    shows: /comes next|came before|but the texts are/,
    isOfClusters: true,
    plant: (patch) =>
      patch(
        InOrder.prototype,
        'announce',
        (announce) =>
          function (this: InOrder<unknown>, number, row) {
            const isAgain = row !== undefined && this.head > 0 && number <= this.head;
            if (isAgain) Reflect.get(this, 'deliver').call(this, row, this.head);
            announce.call(this, number, row);
          },
      ),
  },
  {
    name: 'heads that nobody reads',
    // The same poll reads which sessions have ended.
    shows: /converge|does not end|wait for|session that was ended/,
    isOfClusters: true,
    store: (store) => ({ ...store, heads: () => NEVER }),
  },
  {
    name: 'an ended session that only the process of the request knows of',
    shows: /session that was ended/,
    isOfClusters: true,
    store: (store) => ({ ...store, sessionsRevokedSince: async () => [] }),
    bus: (bus) =>
      Object.create(bus, {
        publish: {
          value: (event: Parameters<typeof bus.publish>[0]) => {
            if (event.type !== 'session_revoked') bus.publish(event);
          },
        },
      }),
  },
  {
    name: 'rosters that a process drops while it is cut off itself',
    from: 394,
    shows: /is there since/,
    isOfClusters: true,
    exchange: (exchange) => ({
      isInDoubt: false,
      onDoubt: (listener) => exchange.onDoubt(listener),
      send: (notice) => exchange.send(notice),
      listen: (listener) => exchange.listen(listener),
      store: (roster, leaseMs) => exchange.store(roster, leaseMs),
      prolong: (process, leaseMs) => exchange.prolong(process, leaseMs),
      read: (process) => exchange.read(process),
      readAll: () => exchange.readAll(),
      exists: async () => false,
      connected: (processes) => exchange.connected(processes),
    }),
  },
  {
    name: 'an echo that is believed to have come',
    from: 746,
    shows: /presence did not converge/,
    isOfClusters: true,
    plant: (patch) => {
      const hear = new Map<string, (payload: string) => void>();
      patch(
        Subscriptions.prototype,
        'add',
        (add) =>
          function (this: Subscriptions, channel, listener) {
            if (channel.includes(':echo:')) hear.set(channel, listener);
            return add.call(this, channel, listener);
          },
      );
      patch(
        Redis.prototype,
        'publish',
        (publish) =>
          function (this: Redis, channel, payload) {
            publish.call(this, channel, payload);
            hear.get(this.key(channel))?.(payload);
          },
      );
    },
  },
  {
    name: 'typing that goes on when the process of the typist has died',
    from: 10,
    shows: /typing/,
    isOfClusters: true,
    plant: (patch) =>
      patch(
        Channel.prototype,
        'tellTyping',
        (tellTyping) =>
          function (this: Channel, change) {
            // What the bus brings has a type.
            if (change.isTyping || 'type' in change) tellTyping.call(this, change);
          },
      ),
  },
  {
    name: 'typing that goes on after a message through another process',
    from: 448,
    shows: /typing/,
    isOfClusters: true,
    plant: (patch) =>
      patch(
        Typing.prototype,
        'stop',
        (stop) =>
          function (this: Typing, roomId, user, mayAnnounce) {
            const isMessage = 'seq' in user;
            if (!isMessage) stop.call(this, roomId, user, mayAnnounce);
          },
      ),
  },
  {
    name: 'another epoch that a process ignores',
    shows: /./,
    isOfClusters: true,
    plant: (patch) => {
      patch(Database.prototype, 'isAnotherFor', () => () => false);
    },
    store: (store, { epoch }) => ({
      ...store,
      heads: async (query): Promise<Heads> => ({ ...(await store.heads(query)), epoch }),
    }),
  },
];
