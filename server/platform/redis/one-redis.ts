/**
 * Whether all processes of a database use the same Redis. It has a random marker there, and each process notes in the
 * database the one that it finds. Two markers at once mean two servers: then no process hears those at the other one.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../log.ts';
import type { Redis } from './redis.ts';

const EVERY_MS = 60_000;
/** A Redis that lost everything gets another marker, which all processes have noted after some checks. */
const CHECKS = 4;

export interface OneRedisParts {
  redis: Pick<Redis, 'command' | 'key' | 'isInDoubt'>;
  /** Notes the marker that this process finds; resolves with those that all processes have noted lately. */
  noteMarker(marker: string): Promise<string[]>;
  log: Pick<Logger, 'error'>;
}

export class OneRedis {
  readonly #parts: OneRedisParts;
  readonly #timer: NodeJS.Timeout;
  #differences = 0;

  constructor(parts: OneRedisParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => {
      // What is away now is asked again in a minute.
      this.check().catch(() => undefined);
    }, EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Logs an error when the markers have differed for some checks. Rejects when Redis or the database is away. */
  async check(): Promise<void> {
    const { redis, noteMarker, log } = this.#parts;
    if (redis.isInDoubt) return;
    const ours = randomUUID();
    const found = await redis.command(['SET', redis.key('marker'), ours, 'NX', 'GET']);
    const markers = await noteMarker(typeof found === 'string' ? found : ours);
    this.#differences = markers.length > 1 ? this.#differences + 1 : 0;
    if (this.#differences >= CHECKS)
      log.error(
        'the processes of this database use different Redis servers, so messages between them arrive late: ' +
          'give all of them the same REDIS_URL',
      );
  }
}
