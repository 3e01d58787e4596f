/**
 * Limits that all processes share: one step of Redis for each request. While Redis is away or slow, each process has
 * the whole rate for itself: there is never no limit, and never a request that waits for Redis for long.
 */
import { z } from 'zod';
import { measures } from '../metrics/measures.ts';
import type { Redis } from '../redis/redis.ts';
import { hiddenName } from './hidden-name.ts';
import type { Decision, Limiter } from './limiter.ts';
import type { LimiterPair, Limits } from './limits.ts';
import { MemoryLimiter } from './memory.ts';
import { TAKE } from './redis-script.ts';
import { Refusals } from './refusals.ts';
import { type BucketRate, checkRate, type MonotonicClock, monotonicUs } from './token-bucket.ts';

/** Later than this is too late. */
const RESPONSE_MS = 100;
/** After a response that did not come in time, Redis is not asked for this long. */
const SPARED_US = 1_000_000;

/** More than this would keep Redis busy for too long at a time. */
const REQUESTS_PER_CALL = 200;

const ALLOWED: Decision = Object.freeze({ allowed: true });

/** For each request 0, or the wait in microseconds and the position of the empty bucket (redis-script.ts). */
const replySchema = z.array(z.union([z.literal(0), z.tuple([z.int().min(1), z.int().min(1)])]));
type Reply = z.infer<typeof replySchema>[number];

/** One thing that is limited. */
interface Limit {
  name: string;
  /** Capacity, refill and interval, as the script takes them. */
  args: readonly string[];
  /** For the time without Redis. */
  local: MemoryLimiter;
}

interface Bucket {
  limit: Limit;
  key: string;
}

/** A request that waits for the end of the turn. */
interface Asked {
  names: readonly string[];
  buckets: readonly Bucket[];
  takes: boolean;
  resolve: (decision: Decision) => void;
}

export interface RedisLimitsParts {
  redis: Pick<Redis, 'run' | 'isInDoubt'>;
  /** Keys are hashed with it, so that Redis has neither names nor addresses. The same in all processes. */
  secret: string;
  /** Is called when a decision was made without Redis. */
  onFallback?: (error: unknown) => void;
  responseMs?: number;
  nowUs?: MonotonicClock;
  script?: typeof TAKE;
}

export class RedisLimits implements Limits {
  readonly #parts: Required<RedisLimitsParts>;
  readonly #refusals: Refusals;
  #waiting: Asked[] = [];
  #sparedUntilUs = Number.NEGATIVE_INFINITY;

  constructor(parts: RedisLimitsParts) {
    const defaults = {
      onFallback: () => undefined,
      responseMs: RESPONSE_MS,
      nowUs: monotonicUs,
      script: TAKE,
    };
    this.#parts = { ...defaults, ...parts };
    this.#refusals = new Refusals(this.#parts.nowUs);
  }

  /** Redis has the script from now on, so that the first requests need not wait for it. */
  async load(): Promise<void> {
    await this.limiter('nothing', { capacity: 1, refill: 1, refillIntervalUs: 1 }).check('');
  }

  limiter(name: string, rate: BucketRate): Limiter {
    const limit = limitOf(name, rate);
    return {
      take: (key) => this.#decide([{ limit, key }], true),
      check: (key) => this.#decide([{ limit, key }], false),
    };
  }

  pair(names: readonly [string, string], rates: readonly [BucketRate, BucketRate]): LimiterPair {
    const [first, second] = [limitOf(names[0], rates[0]), limitOf(names[1], rates[1])];
    return {
      take: (firstKey, secondKey) => {
        const buckets = [
          { limit: first, key: firstKey },
          { limit: second, key: secondKey },
        ];
        return this.#decide(buckets, true);
      },
    };
  }

  #decide(buckets: readonly Bucket[], takes: boolean): Decision | Promise<Decision> {
    const { redis, nowUs } = this.#parts;
    if (redis.isInDoubt || nowUs() < this.#sparedUntilUs) return decideHere(buckets, takes);
    const names = buckets.map(({ limit, key }) => this.#nameOf(limit, key));
    for (const name of names) {
      const refusal = this.#refusals.of(name);
      if (refusal) return refusal;
    }
    return this.#ask(names, buckets, takes);
  }

  /** The requests of a turn of the event loop are one call. */
  #ask(names: readonly string[], buckets: readonly Bucket[], takes: boolean): Promise<Decision> {
    return new Promise((resolve) => {
      this.#waiting.push({ names, buckets, takes, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#askAll());
      else if (this.#waiting.length === REQUESTS_PER_CALL) this.#askAll();
    });
  }

  #askAll(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    if (asked.length > 0) void this.#call(asked);
  }

  async #call(asked: readonly Asked[]): Promise<void> {
    const { redis, script, responseMs, nowUs, onFallback } = this.#parts;
    const names: string[] = [];
    const args: string[] = [];
    for (const { buckets, takes, names: own } of asked) {
      names.push(...own);
      args.push(takes ? '1' : '0', String(buckets.length));
      for (const { limit } of buckets) args.push(...limit.args);
    }
    try {
      const replies = replySchema.parse(await redis.run(script, names, args, responseMs));
      if (replies.length !== asked.length) throw new Error('the number of decisions is wrong');
      for (const [index, { names: own, resolve }] of asked.entries()) {
        resolve(this.#decisionOf(replies[index], own));
      }
    } catch (error) {
      this.#sparedUntilUs = nowUs() + SPARED_US;
      onFallback(error);
      for (const { buckets, takes, resolve } of asked) resolve(decideHere(buckets, takes));
    }
  }

  #decisionOf(reply: Reply | undefined, names: readonly string[]): Decision {
    if (!reply) return ALLOWED;
    const [waitUs, position] = reply;
    this.#refusals.add(names[position - 1] ?? '', waitUs);
    return { allowed: false, retryAfterMs: Math.ceil(waitUs / 1000) };
  }

  #nameOf({ name }: Limit, key: string): string {
    return `limit:${hiddenName(this.#parts.secret, name, key)}`;
  }
}

function limitOf(name: string, rate: BucketRate): Limit {
  const { capacity, refill, refillIntervalUs } = checkRate(rate);
  return {
    name,
    args: [capacity, refill, refillIntervalUs].map(String),
    local: new MemoryLimiter(rate),
  };
}

function decideHere(buckets: readonly Bucket[], takes: boolean): Decision {
  measures.limiterFallbacks++;
  for (const { limit, key } of buckets) {
    const decision = takes ? limit.local.take(key) : limit.local.check(key);
    if (!decision.allowed) return decision;
  }
  return ALLOWED;
}
