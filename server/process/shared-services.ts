/** The composition of what several processes share over Redis. It is loaded where there is a REDIS_URL. */
import { createRedisBus } from '../data/bus/redis.ts';
import type { PostgresOpening } from '../data/storage/postgres/postgres-store.ts';
import { RedisExchange } from '../features/presence/cluster/redis-exchange.ts';
import { Rosters } from '../features/presence/cluster/rosters.ts';
import type { Presence } from '../features/presence/presence.ts';
import type { Limits } from '../platform/limits/limits.ts';
import { RedisLimits } from '../platform/limits/redis.ts';
import { SharedSlots } from '../platform/limits/shared-slots.ts';
import { type Logger, throttled } from '../platform/log.ts';
import { meetsOriginal } from '../platform/redis/first-meeting.ts';
import { OneRedis } from '../platform/redis/one-redis.ts';
import { Peers } from '../platform/redis/peers.ts';
import { Redis } from '../platform/redis/redis.ts';
import { unusable } from '../platform/redis/start-check.ts';
import { AwayError } from '../platform/unusable-database.ts';

export interface SharedOptions {
  url: string;
  /** The database's name, and its epoch. */
  installation: string;
  epoch: string;
  /** The operator's addition to the name. */
  installationId: string | undefined;
  /** This process, as the database lists it. */
  processId: string;
  /** Those of these processes that the database lists, and how this one is listed as it leaves. */
  writersAmong: PostgresOpening['writersAmong'];
  touch: PostgresOpening['touch'];
  /** Gives the database another name. */
  rename(installation: string): Promise<string>;
  /** Notes a marker of Redis in the database (platform/redis/one-redis.ts). */
  noteRedis(marker: string): Promise<string[]>;
  log: Logger;
}

/** Rejects with `ConfigError` if Redis cannot be used, `AwayError` if it is away. */
export async function openSharedServices(options: SharedOptions) {
  const { epoch, noteRedis, log } = options;
  const { redis, peers } = await openRedis(options);
  /** Limits and slots, which have no sender: beside a stranger each process keeps its own. */
  const forLimits = {
    processId: redis.processId,
    run: redis.run.bind(redis),
    onDoubt: redis.onDoubt.bind(redis),
    echoChannel: redis.echoChannel.bind(redis),
    get isInDoubt() {
      return redis.isInDoubt || peers.strangers > 0;
    },
  };
  const oneRedis = new OneRedis({ redis, noteMarker: noteRedis, log });
  const onGarbage = throttled(
    (where: string, count) =>
      log.warn({ where, count }, 'ignored data from Redis that no Roomful process writes'),
    () => 'one cause, wherever it shows',
  );
  const exchange = new RedisExchange(redis, onGarbage, peers);
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
    bus: await createRedisBus(redis, epoch, onGarbage, peers),
    /** Processes of other databases that have the name of this one. */
    strangers: () => peers.strangers,
    rostersOf: (presence: Presence) =>
      new Rosters({ presence, exchange, process: redis.processId, onFailure, onTooMany }),
    async limitsWith(secret: string): Promise<Limits> {
      const limits = new RedisLimits({ redis: forLimits, secret, onFallback });
      await limits.load();
      return limits;
    },
    slotsWith:
      (secret: string, { others }: Rosters) =>
      (name: string, max: number) => {
        const otherProcesses = () => others.processes;
        const made = new SharedSlots(name, max, { redis: forLimits, secret, otherProcesses });
        slots.push(made);
        return made;
      },
    async close() {
      oneRedis.stop();
      peers.stop();
      for (const each of slots) each.close();
      await redis.close();
    },
  };
}

/** Resolves when no other database has this name here. */
async function openRedis(options: SharedOptions) {
  const { url, processId, installationId, writersAmong, touch, rename, log } = options;
  const onStranger = throttled((stranger: string, count) =>
    log.error(
      { stranger, count },
      'processes of another database have the name of this one on the same Redis, so one is a copy of the other. ' +
        'They are not heard. Restart the processes of the copy, or set INSTALLATION_ID there',
    ),
  );
  const peers = new Peers({ findWriters: writersAmong, touch, onStranger });
  const open = async (name: string) => {
    const id = installationId === undefined ? name : `${name}.${installationId}`;
    return await Redis.open({ url, installationId: id, processId, log });
  };
  let redis = await open(options.installation);
  try {
    if (!(await meetsOriginal({ redis, peers }))) return { redis, peers };
  } catch (error) {
    await redis.close();
    throw unusable(url, error);
  }
  await redis.close();
  const installation = await rename(options.installation).catch((error: unknown) => {
    throw new AwayError(
      `The database does not take its new name: ${error instanceof Error ? error.message : error}.`,
    );
  });
  log.warn(
    { installation },
    'this database is a copy of one whose processes use the same Redis: it has taken another name, and stays alone',
  );
  redis = await open(installation);
  return { redis, peers };
}
