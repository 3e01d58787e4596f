/**
 * Writes of rooms over several writers, with one order for each room. A room belongs to a lane, and a lane has at most
 * one batch under way, so what is written to a room takes effect and resolves in the order of the calls.
 *
 * A batch from a free writer takes the lane that has waited longest, and more waiting lanes until it is full. So a
 * quiet store makes few commits; in a busy one each lane goes alone, and the batches of several processes rarely meet
 * in one room (one wide batch for all rooms makes every process wait for every other one's commits).
 *
 * A batch whose outcome is not known is sent again under the same number until it is known: `call` does it once.
 */
import { AppError } from '../../../protocol/errors.ts';
import { measureCommit, measures } from '../../platform/metrics/measures.ts';
import { type LaneClock, REAL_TIME } from './lane-clock.ts';

const LANES = 64;
/** Beyond this number no further lane joins a batch. */
const FULL_BATCH = 64;
const MAX_BATCH = 1000;
const MAX_BATCH_BYTES = 1024 * 1024;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** Everything about an item but its text. */
const ITEM_BYTES = 256;
/** How long a caller waits for a database that is away. */
const PATIENCE_MS = 5000;
/** How often it is looked for what has waited too long. */
const WATCH_MS = 500;
const RETRY_MS = { first: 50, most: 1000 };

/** What a failed call says about its effect (data/storage/postgres/failures.ts). */
export type CallFate = 'unsent' | 'refused' | 'faulty' | 'unknown';

export interface LanePort<Item, Result> {
  /**
   * Stores the items as batch `n` of a writer, and resolves with one result for each. For a number that was stored
   * before it resolves with what that call stored.
   */
  call(writer: number, n: number, items: readonly Item[]): Promise<Result[]>;
  fateOf(error: unknown): CallFate;
  /** Characters of text. */
  weigh(item: Item): number;
  /** Items with the same key never share a batch; null: shares with all. */
  keyOf(item: Item): string | null;
  /** It may be repeated by its caller after a rejection, without being stored twice. */
  isRepeatable(item: Item): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  since: number;
  resolve(result: Result): void;
  reject(error: Error): void;
}

type Entry<Item, Result> =
  | ({ kind: 'item' } & Waiting<Item, Result>)
  /** Runs alone in its lane. `run` never rejects; `reject` is for one that did not begin. */
  | { kind: 'command'; since: number; run(writer: number): Promise<void>; reject(error: Error): void };

interface Lane<Item, Result> {
  entries: Entry<Item, Result>[];
  isBusy: boolean;
}

export class RoomLanes<Item, Result> {
  readonly #port: LanePort<Item, Result>;
  readonly #clock: LaneClock;
  readonly #lanes: Lane<Item, Result>[] = Array.from({ length: LANES }, () => ({
    entries: [],
    isBusy: false,
  }));
  /** Lanes with entries and without a batch, in the order in which they came to be so. */
  readonly #ready = new Set<Lane<Item, Result>>();
  readonly #free: number[];
  /** By writer: the number of its last batch that was stored. */
  readonly #stored: number[];
  #waitingBytes = 0;
  #running = 0;
  #isScheduled = false;
  #isWatching = false;
  #onIdle: (() => void)[] = [];

  constructor(port: LanePort<Item, Result>, writers: number, clock: LaneClock = REAL_TIME) {
    this.#port = port;
    this.#clock = clock;
    this.#free = Array.from({ length: writers }, (_, writer) => writers - 1 - writer);
    this.#stored = Array.from({ length: writers }, () => 0);
  }

  /**
   * Resolves when the item is stored. Rejects with `service_unavailable` when nothing was stored, or, for a repeatable
   * item, when the outcome is still not known after 5 s.
   */
  submit(roomId: number, item: Item): Promise<Result> {
    const bytes = this.#bytesOf(item);
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) return Promise.reject(unavailable());
    this.#waitingBytes += bytes;
    return new Promise((resolve, reject) =>
      this.#enter(roomId, { kind: 'item', item, since: this.#clock.now(), resolve, reject }),
    );
  }

  /**
   * Runs a command of a room, after what was called before it and before what is called after it. Rejects with
   * `service_unavailable` when it could not begin within 5 s.
   */
  run<T>(roomId: number, command: (writer: number) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) =>
      this.#enter(roomId, {
        kind: 'command',
        since: this.#clock.now(),
        reject,
        run: async (writer) => {
          await command(writer).then(resolve, reject);
        },
      }),
    );
  }

  /** Writes that wait for a writer, and writers that are at work. */
  get load(): { waiting: number; busy: number } {
    return {
      waiting: this.#lanes.reduce((sum, { entries }) => sum + entries.length, 0),
      busy: this.#running,
    };
  }

  /** Resolves when nothing waits and nothing runs. */
  async idle(): Promise<void> {
    while (this.#running > 0 || this.#ready.size > 0)
      await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #enter(roomId: number, entry: Entry<Item, Result>): void {
    const lane = this.#lanes[roomId % LANES];
    if (!lane) throw new Error(`no lane for room ${roomId}`);
    lane.entries.push(entry);
    if (!lane.isBusy) this.#ready.add(lane);
    this.#schedule();
    if (!this.#isWatching) void this.#watch();
  }

  /** Rejects what waits behind a database that is away. Ends when nothing waits. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    do await this.#clock.sleep(WATCH_MS);
    while (this.#expire());
    this.#isWatching = false;
  }

  /** Rejects all that has waited too long to begin; whether anything still waits. */
  #expire(): boolean {
    let isWaiting = false;
    for (const lane of this.#lanes) {
      const { entries } = lane;
      const fresh = entries.findIndex((entry) => !this.#isOverdue(entry));
      for (const entry of entries.splice(0, fresh < 0 ? entries.length : fresh)) {
        if (entry.kind === 'item') this.#waitingBytes -= this.#bytesOf(entry.item);
        entry.reject(unavailable());
      }
      if (entries.length > 0) isWaiting = true;
      else this.#ready.delete(lane);
    }
    this.#endIfIdle();
    return isWaiting;
  }

  /** After this turn of the event loop, so that what comes in one turn shares a batch. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.nextTurn(() => {
      this.#isScheduled = false;
      while (this.#ready.size > 0 && this.#free.length > 0) this.#start();
    });
  }

  #start(): void {
    const writer = this.#free.pop();
    const [first] = this.#ready;
    if (writer === undefined || !first) return;
    const [head] = first.entries;
    const lanes = new Set<Lane<Item, Result>>();
    let work: Promise<void>;
    if (head?.kind === 'command') {
      first.entries.shift();
      lanes.add(first);
      work = head.run(writer);
    } else work = this.#commit(writer, this.#gather(lanes));
    for (const lane of lanes) {
      lane.isBusy = true;
      this.#ready.delete(lane);
    }
    this.#running++;
    void work.finally(() => this.#end(writer, lanes));
  }

  #end(writer: number, lanes: Set<Lane<Item, Result>>): void {
    this.#running--;
    this.#free.push(writer);
    for (const lane of lanes) {
      lane.isBusy = false;
      if (lane.entries.length > 0) this.#ready.add(lane);
    }
    if (this.#ready.size > 0) this.#schedule();
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#running === 0 && this.#ready.size === 0)
      for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** The items of a batch; `lanes` receives the lanes that they are from. */
  #gather(lanes: Set<Lane<Item, Result>>): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    let bytes = 0;
    for (const lane of this.#ready) {
      if (batch.length >= FULL_BATCH) break;
      let taken = 0;
      for (const entry of lane.entries) {
        if (entry.kind === 'command' || batch.length >= MAX_BATCH) break;
        const weight = this.#bytesOf(entry.item);
        const key = this.#port.keyOf(entry.item);
        if ((batch.length > 0 && bytes + weight > MAX_BATCH_BYTES) || (key !== null && keys.has(key))) break;
        if (key !== null) keys.add(key);
        bytes += weight;
        batch.push(entry);
        taken++;
      }
      if (taken === 0) continue;
      lane.entries.splice(0, taken);
      lanes.add(lane);
    }
    this.#waitingBytes -= bytes;
    return batch;
  }

  /** Ends when the batch's outcome is known. Never rejects. */
  async #commit(writer: number, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const n = (this.#stored[writer] ?? 0) + 1;
    const items = batch.map(({ item }) => item);
    const begun = this.#clock.now();
    let isUnknown = false;
    for (let tries = 0; ; tries++) {
      try {
        const results = await this.#port.call(writer, n, items);
        this.#stored[writer] = n;
        measureCommit(items.length, this.#clock.now() - begun);
        // Those that were rejected meanwhile stay so.
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
        return;
      } catch (error) {
        const fate = this.#port.fateOf(error);
        if (fate === 'unknown' && !isUnknown) measures.commitsUnknown++;
        if (fate === 'unknown') isUnknown = true;
        if (fate === 'faulty' && batch.length > 1) return await this.#commitEach(writer, batch);
        if (
          !isUnknown &&
          (fate === 'refused' || fate === 'faulty' || batch.some((waiting) => this.#isOverdue(waiting)))
        ) {
          for (const { reject } of batch) reject(unavailable(error));
          return;
        }
        if (isUnknown) this.#giveUp(batch, error);
        measures.commitRetries++;
        await this.#clock.sleep(delayAfter(tries));
      }
    }
  }

  /** One item is at fault; the others are stored. */
  async #commitEach(writer: number, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const waiting of batch) await this.#commit(writer, [waiting]);
  }

  #isOverdue({ since }: { since: number }): boolean {
    return this.#clock.now() - since >= PATIENCE_MS;
  }

  /** Callers that may repeat need not wait until the outcome is known. */
  #giveUp(batch: readonly Waiting<Item, Result>[], error: unknown): void {
    for (const waiting of batch)
      if (this.#port.isRepeatable(waiting.item) && this.#isOverdue(waiting))
        waiting.reject(unavailable(error));
  }

  #bytesOf(item: Item): number {
    return ITEM_BYTES + 2 * this.#port.weigh(item);
  }
}

function unavailable(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause, retryAfterMs: 1000 });
}

/** Doubles, with jitter. */
function delayAfter(tries: number): number {
  return Math.min(RETRY_MS.first * 2 ** tries, RETRY_MS.most) * (0.5 + Math.random() / 2);
}
