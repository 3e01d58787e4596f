/**
 * Redis, as one process uses it. Whatever is in Redis may vanish at any moment, and nothing waits for it: while it is
 * away, what is published is lost and commands reject at once. Those who use it find what they missed elsewhere.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../deadline.ts';
import { type Logger, throttled } from '../log.ts';
import { measures } from '../metrics/measures.ts';
import { Echo } from './echo.ts';
import type { RedisLink } from './link.ts';
import { isNoScript, type Script } from './script.ts';
import { openLink, unusable } from './start-check.ts';
import { Subscriptions } from './subscriptions.ts';

const COMMAND_MS = 1000;
/** How long the first echo may take. */
const CERTAIN_MS = 5000;
/** How long a new link may take for all subscriptions. After them, the echo watches over it. */
const SUBSCRIBED_MS = 3000;
const BACKOFF_MS = 50;
const BACKOFF_MAX_MS = 1000;
/** Bytes that were published and have no reply. What would exceed it is lost. */
const PUBLISHED_MAX_BYTES = 16 * 1024 * 1024;

export interface RedisOptions {
  url: string;
  /** Connects; by default to `url`. */
  open?: () => Promise<RedisLink>;
  /** The database's name, because two installations may share a Redis. */
  installationId: string;
  /** Names this run of this process to the others; by default a new name. */
  processId?: string | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
}

export class Redis {
  /** Names this run of this process to the others. */
  readonly processId: string;
  readonly #options: RedisOptions;
  readonly #open: () => Promise<RedisLink>;
  readonly #prefix: string;
  readonly #subscriptions = new Subscriptions();
  readonly #doubtListeners = new Set<() => void>();
  /** The link that is open, whether it is in use or still to be told what this process listens to. */
  #opened: RedisLink | null = null;
  #link: RedisLink | null = null;
  readonly #onRefused: (error: unknown) => void;
  #isInDoubt = true;
  #isClosed = false;
  #publishedBytes = 0;
  #running: Promise<void> = Promise.resolve();

  private constructor(options: RedisOptions) {
    this.#options = options;
    this.processId = options.processId ?? randomUUID();
    this.#onRefused = throttled((err, count) =>
      options.log.warn({ err, count }, 'Redis refuses announcements: the others find them in the database'),
    );
    this.#open = options.open ?? (() => openLink(options.url));
    this.#prefix = `roomful:${options.installationId}:`;
  }

  /** Resolves when our own echo has come back. Rejects with `ConfigError` if the server cannot be used. */
  static async open(options: RedisOptions): Promise<Redis> {
    const redis = new Redis(options);
    const link = await redis.#open();
    const certain = new Promise<void>((resolve) => redis.onDoubt(resolve));
    redis.#running = redis.#run(link);
    try {
      await within(CERTAIN_MS, certain, 'nothing that Roomful publishes there comes back');
      return redis;
    } catch (error) {
      await redis.close();
      throw unusable(options.url, error);
    }
  }

  /** Whether what others publish may be lost at this moment. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Calls the listener when doubt begins and when it ends. Returns a function that stops. */
  onDoubt(listener: () => void): () => void {
    this.#doubtListeners.add(listener);
    return () => this.#doubtListeners.delete(listener);
  }

  /** The whole name of the channel on which a process hears its own echo. */
  echoChannel(processId: string): string {
    return this.key(`echo:${processId}`);
  }

  /**
   * Those of these processes that listen to Redis at this moment. One that was killed does not: its connections were
   * closed with it. One whose machine is gone may still seem to. Rejects like `command`.
   */
  async connected(processIds: readonly string[]): Promise<string[]> {
    if (processIds.length === 0) return [];
    const channels = processIds.map((id) => this.echoChannel(id));
    const reply = await this.command(['PUBSUB', 'NUMSUB', ...channels]);
    // Each channel, followed by the number of its listeners.
    const counts = reply as unknown[];
    return processIds.filter((_, index) => Number(counts[2 * index + 1]) > 0);
  }

  /** All processes of this installation that listen to Redis at this moment. Rejects like `command`. */
  async connectedNow(): Promise<string[]> {
    const prefix = this.echoChannel('');
    const pattern = `${prefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
    const channels = (await this.command(['PUBSUB', 'CHANNELS', pattern])) as Iterable<unknown>;
    return [...channels].map((channel) => String(channel).slice(prefix.length));
  }

  /** The name of a key of this installation. */
  key(name: string): string {
    return this.#prefix + name;
  }

  /** Those who listen to the channel receive it soon, this process included, or never. */
  publish(channel: string, payload: string): void {
    const link = this.#link;
    if (!link || this.#publishedBytes > PUBLISHED_MAX_BYTES) return void measures.publishesLost++;
    this.#publishedBytes += payload.length;
    const done = () => {
      this.#publishedBytes -= payload.length;
    };
    link.send(['PUBLISH', this.key(channel), payload]).then(done, (error) => {
      done();
      measures.publishesLost++;
      // The loss of the link says so itself.
      if (this.#link === link) this.#onRefused(error);
    });
  }

  /** Resolves when the channel is heard; while in doubt, at once, and then the end of doubt says so. Never rejects. */
  async subscribe(channel: string, listener: (payload: string) => void): Promise<void> {
    await this.#subscriptions.add(this.key(channel), listener);
  }

  unsubscribe(channel: string): void {
    this.#subscriptions.delete(this.key(channel));
  }

  /** The reply; keys in the command are to be made by `key`. Rejects when Redis is away, refuses it, or is too slow. */
  async command(command: readonly string[], deadlineMs = COMMAND_MS): Promise<unknown> {
    if (!this.#link) throw new Error('Redis is away');
    return await within(deadlineMs, this.#link.send(command), 'Redis did not respond in time');
  }

  /** Runs a script. `keys` are names without the prefix. Rejects like `command`. */
  async run(script: Script, keys: readonly string[], args: readonly string[], deadlineMs = COMMAND_MS) {
    const rest = [String(keys.length), ...keys.map((name) => this.key(name)), ...args];
    const startedAt = performance.now();
    try {
      return await this.command(['EVALSHA', script.sha1, ...rest], deadlineMs);
    } catch (error) {
      if (!isNoScript(error)) throw error;
      // Both tries together have the time of one.
      const leftMs = deadlineMs - (performance.now() - startedAt);
      return await this.command(['EVAL', script.source, ...rest], leftMs);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#doubtListeners.clear();
    this.#opened?.destroy(new Error('closed'));
    await this.#running;
  }

  async #run(first: RedisLink): Promise<void> {
    for (let link: RedisLink | null = first; link; link = await this.#reconnect()) {
      const cause = await this.#use(link);
      if (this.#isClosed) return;
      this.#options.log.warn({ err: cause }, 'Redis is away: what other processes do is seen late');
    }
  }

  /** Resolves with the cause when the link is lost. */
  async #use(link: RedisLink): Promise<Error> {
    this.#opened = link;
    // It was closed while this link was being opened.
    if (this.#isClosed) link.destroy(new Error('closed'));
    const channel = this.echoChannel(this.processId);
    let echo: Echo | undefined;
    const hear = () => echo?.heard();
    const begin = async () => {
      void this.#subscriptions.add(channel, hear);
      const subscribed = this.#subscriptions.begin(link);
      await within(SUBSCRIBED_MS, subscribed, 'Redis did not take our subscriptions in time');
      this.#link = link;
      echo = new Echo({
        publish: () => this.publish(`echo:${this.processId}`, ''),
        onHeard: () => this.#setDoubt(false),
        onSilence: () => link.destroy(new Error('Redis returned none of our echoes for three seconds')),
      });
    };
    begin().catch((error) => link.destroy(error));
    const cause = await link.lost;
    echo?.stop();
    this.#opened = null;
    this.#link = null;
    this.#subscriptions.end();
    this.#setDoubt(true);
    return cause;
  }

  async #reconnect(): Promise<RedisLink | null> {
    for (let pause = BACKOFF_MS; ; pause = Math.min(2 * pause, BACKOFF_MAX_MS)) {
      await sleep(pause * (0.5 + Math.random()), undefined, { ref: false });
      if (this.#isClosed) return null;
      const link = await this.#open().catch(() => null);
      if (link) return link;
    }
  }

  #setDoubt(isInDoubt: boolean): void {
    if (this.#isInDoubt === isInDoubt || this.#isClosed) return;
    this.#isInDoubt = isInDoubt;
    if (isInDoubt) measures.redisLosses++;
    else this.#options.log.info('Redis is connected');
    for (const listener of this.#doubtListeners) listener();
  }
}
