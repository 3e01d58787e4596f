/** How many outgoing requests run at once, in all and to one host; the others wait, and hosts take turns. */
import { OutgoingError } from './error.ts';

export interface HostSlotsOptions {
  perHost: number;
  total: number;
  /** Requests that may wait, over all hosts; one more is refused. */
  maxWaiting: number;
  /** How long a request waits before it is refused. */
  maxWaitMs: number;
}

/** Up to `most` at once to one host, as long as its tasks go well. */
export interface Growth<T> {
  most: number;
  isWell(result: T): boolean;
}

interface Host {
  running: number;
  /** How many may run at once now. */
  limit: number;
  /** Starts a waiting request. */
  waiting: Set<() => void>;
}

export class HostSlots {
  readonly #options: HostSlotsOptions;
  /** Hosts with requests; the one whose turn is next comes first. */
  readonly #hosts = new Map<string, Host>();
  #running = 0;
  #waiting = 0;

  constructor(options: HostSlotsOptions) {
    this.#options = options;
  }

  /**
   * Runs `task` when there is a slot for the host. Rejects with `busy` when too many wait, or for too long, and with
   * the reason of `signal` as soon as that aborts before the start. With `growth`, each task that goes well lets the
   * host have one more at once, and one that does not takes it back to `perHost`.
   */
  async run<T>(
    host: string,
    signal: AbortSignal,
    task: () => Promise<T>,
    growth?: Growth<T> | undefined,
  ): Promise<T> {
    const { perHost, total } = this.#options;
    const entry = this.#hosts.get(host) ?? { running: 0, limit: perHost, waiting: new Set() };
    this.#hosts.set(host, entry);
    try {
      if (this.#running < total && entry.running < entry.limit) this.#start(entry);
      else await this.#wait(entry, signal);
      try {
        const result = await task();
        if (!growth?.isWell(result)) entry.limit = perHost;
        else if (entry.limit < growth.most) entry.limit++;
        return result;
      } catch (error) {
        entry.limit = perHost;
        throw error;
      } finally {
        this.#running--;
        entry.running--;
        this.#startWaiting();
      }
    } finally {
      if (entry.running === 0 && entry.waiting.size === 0) this.#hosts.delete(host);
    }
  }

  async #wait(entry: Host, signal: AbortSignal): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.#options;
    if (this.#waiting >= maxWaiting) throw new OutgoingError('busy');
    this.#waiting++;
    let start = () => {};
    let timer: NodeJS.Timeout | undefined;
    let onAbort = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        start = resolve;
        entry.waiting.add(start);
        timer = setTimeout(() => reject(new OutgoingError('busy')), maxWaitMs);
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      entry.waiting.delete(start);
      this.#waiting--;
    }
  }

  #start(entry: Host): void {
    this.#running++;
    entry.running++;
  }

  #startWaiting(): void {
    for (const [name, entry] of this.#hosts) {
      if (this.#running >= this.#options.total) return;
      const [start] = entry.waiting;
      if (start === undefined || entry.running >= entry.limit) continue;
      // The slot is taken here, so that no request in between takes it, too.
      entry.waiting.delete(start);
      this.#start(entry);
      start();
      this.#hosts.delete(name);
      this.#hosts.set(name, entry);
    }
  }
}
