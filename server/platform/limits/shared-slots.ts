/**
 * Slots that all processes share, such as the sockets of a user. Each process writes how many it holds itself, and the
 * sum over the processes that are alive counts. The numbers are absolute and are written again from time to time, which
 * repairs whatever Redis loses. While Redis is away or slow, each process applies the bound to its own slots.
 */
import type { Redis } from '../redis/redis.ts';
import { Script } from '../redis/script.ts';
import { hiddenName } from './hidden-name.ts';
import type { SlotTable } from './slots.ts';

const RESPONSE_MS = 100;
/** How long a count is kept after it was last written. */
const KEPT_MS = 600_000;
/** Every count is written again within this time. */
const WRITTEN_AGAIN_MS = 300_000;
const SWEEP_MS = 1000;
/** Changes are collected for this long, and then written, at most this many at a time. */
const COLLECT_MS = 20;
const WRITES_AT_ONCE = 500;

/**
 * Key: a hash of counts by process. Arguments: the bound, or '0' to write only; this process; its count, which includes
 * the slot that is being taken; how long to keep the key; the prefix of the channels on which processes hear their
 * echo; the other processes that are alive. Returns 1, or 0 if the sum exceeds the bound: then the slot is not counted.
 *
 * Counts of other processes are deleted once these are not alive. For some seconds a process that was killed is
 * believed to be: before a slot is refused, the counts of those that do not listen to Redis are deleted, too. A process
 * that was only cut off writes its counts again when it is back.
 */
const COUNT = new Script(`
local max, own, count = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local lives = {}
for i = 6, #ARGV do lives[ARGV[i]] = true end
local sum = count
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if lives[all[i]] then sum = sum + (tonumber(all[i + 1]) or 0)
  elseif all[i] ~= own then redis.call('HDEL', KEYS[1], all[i]) end
end
if max > 0 and sum > max then
  for i = 1, #all, 2 do
    if lives[all[i]] then
      local listeners = redis.pcall('PUBSUB', 'NUMSUB', ARGV[5] .. all[i])
      if listeners[2] == 0 then
        sum = sum - (tonumber(all[i + 1]) or 0)
        redis.call('HDEL', KEYS[1], all[i])
      end
    end
  end
end
local isFull = max > 0 and sum > max
if isFull then count = count - 1 end
if count > 0 then
  redis.call('HSET', KEYS[1], own, count)
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
else
  redis.call('HDEL', KEYS[1], own)
end
return isFull and 0 or 1
`);

export interface SharedSlotsParts {
  redis: Pick<Redis, 'run' | 'isInDoubt' | 'onDoubt' | 'processId' | 'echoChannel'>;
  /** Keys are hashed with it. The same in all processes. */
  secret: string;
  /** The other processes that are alive. */
  otherProcesses: () => readonly string[];
  responseMs?: number;
}

interface Held {
  count: number;
  /** Exempt keys are not counted in Redis. */
  isShared: boolean;
}

export class SharedSlots implements SlotTable {
  readonly #parts: SharedSlotsParts;
  readonly #name: string;
  readonly #max: number;
  readonly #held = new Map<string, Held>();
  /** Keys whose count is to be written. */
  readonly #changed = new Set<string>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #swept: Iterator<string> | undefined;
  #isClosed = false;

  /** `name`: of what is counted. @param max Slots of each key. */
  constructor(name: string, max: number, parts: SharedSlotsParts) {
    this.#name = name;
    this.#max = max;
    this.#parts = parts;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
    this.#stopListening = parts.redis.onDoubt(() => this.#writeAll());
  }

  get size(): number {
    return this.#held.size;
  }

  async tryTake(key: string, isExempt = false): Promise<boolean> {
    const held = this.#held.get(key) ?? { count: 0, isShared: false };
    if (held.count >= this.#max && !isExempt) return false;
    held.count++;
    this.#held.set(key, held);
    if (isExempt) return true;
    held.isShared = true;
    const isTaken = await this.#count(key, held.count, this.#max).catch(() => true);
    if (!isTaken) this.giveBack(key);
    return isTaken;
  }

  giveBack(key: string): void {
    const held = this.#held.get(key);
    if (!held) return;
    if (--held.count === 0) this.#held.delete(key);
    if (held.isShared) this.#writeSoon(key);
  }

  /** Writes nothing more. To be called before Redis is closed. */
  close(): void {
    this.#stopListening();
    clearInterval(this.#sweeper);
    clearTimeout(this.#timer);
    this.#changed.clear();
    this.#isClosed = true;
  }

  async #count(key: string, count: number, max: number): Promise<boolean> {
    const { redis, secret, otherProcesses, responseMs = RESPONSE_MS } = this.#parts;
    if (redis.isInDoubt) throw new Error('Redis is away');
    const name = `slots:${hiddenName(secret, this.#name, key)}`;
    const own = [String(max), redis.processId, String(count), String(KEPT_MS)];
    const args = [...own, redis.echoChannel(''), ...otherProcesses()];
    return (await redis.run(COUNT, [name], args, responseMs)) === 1;
  }

  #writeSoon(key: string): void {
    if (this.#isClosed) return;
    this.#changed.add(key);
    this.#timer ??= setTimeout(() => void this.#write(), COLLECT_MS).unref();
  }

  async #write(): Promise<void> {
    const keys = [...this.#changed].slice(0, WRITES_AT_ONCE);
    for (const key of keys) this.#changed.delete(key);
    // What fails is written by the sweep, or expires.
    await Promise.allSettled(keys.map((key) => this.#count(key, this.#held.get(key)?.count ?? 0, 0)));
    this.#timer = undefined;
    const [next] = this.#changed;
    if (next !== undefined) this.#writeSoon(next);
  }

  #writeAll(): void {
    if (this.#parts.redis.isInDoubt) return;
    for (const [key, { isShared }] of this.#held) if (isShared) this.#writeSoon(key);
  }

  #sweep(): void {
    let left = Math.ceil((this.#held.size * SWEEP_MS) / WRITTEN_AGAIN_MS);
    for (; left > 0; left--) {
      this.#swept ??= this.#held.keys();
      const { value, done } = this.#swept.next();
      if (done === true) this.#swept = undefined;
      else if (this.#held.get(value)?.isShared === true) this.#writeSoon(value);
    }
  }
}
