/**
 * What a process has besides its database: the bus, and what it knows of other processes, as
 * `server/process/services.ts` has it.
 */
import type { Bus } from '../../server/data/bus/bus.ts';
import { createRedisBus } from '../../server/data/bus/redis.ts';
import type { RosterExchange } from '../../server/features/presence/cluster/exchange.ts';
import { RedisExchange } from '../../server/features/presence/cluster/redis-exchange.ts';
import { Rosters } from '../../server/features/presence/cluster/rosters.ts';
import type { Presence } from '../../server/features/presence/presence.ts';
import { Redis } from '../../server/platform/redis/redis.ts';
import type { RedisServer } from './redis-server.ts';
import type { Owner } from './world.ts';

export interface Surroundings {
  bus: Bus;
  /** Null: the process runs alone, and remembers over a planned restart who was there. */
  rostersOf: ((presence: Presence) => Rosters) | null;
  close(): Promise<void>;
}

const NO_LOG = { info() {}, warn() {} };

export function alone(bus: Bus): Surroundings {
  return { bus, rostersOf: null, close: () => bus.close() };
}

/** Of a process among others. Rejects when Redis is away, as the start of a process does. */
export async function together(
  server: RedisServer,
  {
    owner,
    epoch,
    plant,
  }: { owner: Owner; epoch: string; plant: (exchange: RosterExchange) => RosterExchange },
): Promise<Surroundings> {
  const open = () => server.connect(owner);
  const redis = await Redis.open({
    url: 'redis://simulation',
    open,
    installationId: 'simulation',
    log: NO_LOG,
  });
  const bus = await createRedisBus(redis, epoch, onGarbage);
  const exchange = plant(new RedisExchange(redis, onGarbage));
  return {
    bus,
    rostersOf: (presence) => new Rosters({ presence, exchange, process: redis.processId }),
    async close() {
      await bus.close();
      await redis.close();
    },
  };
}

/** Nobody but processes of this version writes to the simulated Redis. */
function onGarbage(where: string): never {
  throw new Error(`a process has dropped what another one sent: ${where}`);
}
