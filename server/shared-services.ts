/** The composition of what several processes share over Redis. It is loaded where there is a REDIS_URL. */
import { createRedisBus } from './bus/redis.ts';
import type { Limits } from './limits/limits.ts';
import { RedisLimits } from './limits/redis.ts';
import { SharedSlots } from './limits/shared-slots.ts';
import { type Logger, throttled } from './log.ts';
import { RedisExchange } from './presence/cluster/redis-exchange.ts';
import { Rosters } from './presence/cluster/rosters.ts';
import type { Presence } from './presence/presence.ts';
import { OneRedis } from './redis/one-redis.ts';
import { Redis } from './redis/redis.ts';

export interface SharedOptions {
  url: string;
  /** Of the database: its name, and its epoch. */
  installation: string;
  epoch: string;
  /** Notes a marker of Redis in the database (redis/one-redis.ts). */
  noteRedis(marker: string): Promise<string[]>;
  log: Logger;
}

/** Rejects with `ConfigError` if Redis cannot be used. */
export async function openSharedServices({ url, installation, epoch, noteRedis, log }: SharedOptions) {
  const redis = await Redis.open({ url, installationId: installation, log });
  const oneRedis = new OneRedis({ redis, noteMarker: noteRedis, log });
  const onGarbage = throttled((where: string, count) =>
    log.warn({ where, count }, 'ignored data from Redis that no Roomful process writes'),
  );
  const exchange = new RedisExchange(redis, onGarbage);
  const onFailure = throttled((err: unknown, count) =>
    log.warn({ err, count }, 'Redis did not take who is online: the next heartbeat tries again'),
  );
  const onTooMany = (entries: number) =>
    log.warn(
      { entries },
      'presence has more entries than it is made for: processes need more memory, and longer to start',
    );
  const onFallback = throttled((err: unknown, count) =>
    log.warn({ err, count }, 'Redis did not respond in time: this process applies its limits alone'),
  );
  const slots: SharedSlots[] = [];
  return {
    bus: await createRedisBus(redis, epoch, onGarbage),
    rostersOf: (presence: Presence) =>
      new Rosters({ presence, exchange, process: redis.processId, onFailure, onTooMany }),
    async limitsWith(secret: string): Promise<Limits> {
      const limits = new RedisLimits({ redis, secret, onFallback });
      await limits.load();
      return limits;
    },
    slotsWith:
      (secret: string, { others }: Rosters) =>
      (name: string, max: number) => {
        const made = new SharedSlots(name, max, { redis, secret, otherProcesses: () => others.processes });
        slots.push(made);
        return made;
      },
    async close() {
      oneRedis.stop();
      for (const each of slots) each.close();
      await redis.close();
    },
  };
}
