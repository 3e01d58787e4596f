/** The channels that this process listens to: those that were asked for, and those that the server knows of. */
import type { RedisLink } from './link.ts';

/** Channels in one command. */
const CHUNK = 1000;

type Listener = (payload: string) => void;

export class Subscriptions {
  readonly #wanted = new Map<string, Listener>();
  /** Channels whose SUBSCRIBE has been sent on this link. */
  readonly #sent = new Set<string>();
  /** Channels that have changed in this turn of the event loop. */
  readonly #changed = new Set<string>();
  #link: RedisLink | null = null;
  #flushing: Promise<void> | null = null;

  /** Resolves when the channel is heard, or when the link is lost. A channel has one listener: the last one. */
  async add(channel: string, listener: Listener): Promise<void> {
    this.#wanted.set(channel, listener);
    await this.#change(channel);
  }

  delete(channel: string): void {
    this.#wanted.delete(channel);
    void this.#change(channel);
  }

  /** Subscribes to everything on a new link; rejects when the link fails meanwhile. */
  async begin(link: RedisLink): Promise<void> {
    this.#link = link;
    this.#sent.clear();
    await this.#subscribe(link, [...this.#wanted.keys()]);
  }

  end(): void {
    this.#link = null;
  }

  async #change(channel: string): Promise<void> {
    if (!this.#link) return;
    this.#changed.add(channel);
    this.#flushing ??= new Promise((resolve) => setImmediate(() => resolve(this.#flush())));
    await this.#flushing;
  }

  /** One command for everything that has changed in a turn. */
  async #flush(): Promise<void> {
    this.#flushing = null;
    const changed = [...this.#changed];
    this.#changed.clear();
    const link = this.#link;
    if (!link) return;
    const added = changed.filter((channel) => this.#wanted.has(channel) && !this.#sent.has(channel));
    const dropped = changed.filter((channel) => !this.#wanted.has(channel) && this.#sent.delete(channel));
    // A failure is the link's, and its loss is dealt with there.
    const done = [this.#subscribe(link, added).catch(() => {})];
    if (dropped.length > 0) done.push(link.unsubscribe(dropped, this.#hear).catch(() => {}));
    await Promise.all(done);
  }

  async #subscribe(link: RedisLink, channels: readonly string[]): Promise<void> {
    const done: Promise<void>[] = [];
    for (const channel of channels) this.#sent.add(channel);
    // All at once: a channel that is dropped meanwhile must not be subscribed to after that.
    for (let at = 0; at < channels.length; at += CHUNK) {
      done.push(link.subscribe(channels.slice(at, at + CHUNK), this.#hear));
    }
    await Promise.all(done);
  }

  readonly #hear = (payload: string, channel: string) => this.#wanted.get(channel)?.(payload);
}
