/**
 * Which processes on this Redis are of our database. A copy of the database has the same names in it, so a process is
 * believed once our own database shows that it writes there: it has a row in `writers` that is new, or that has changed
 * since this process opened the database (data/storage/postgres/receipts.ts). What others say is ignored.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../deadline.ts';

/** How long what an unknown process says is held back, and how often it is looked for meanwhile. */
const HOLD_MS = 5000;
const ASK_EVERY_MS = 500;
/** A stop waits no longer for a database that is away. */
const LEAVE_MS = 1000;
/** When it is looked for again after that, if it goes on. */
const ASK_AGAIN_MS = 5000;
/** How long after it was last heard a process of another database counts as here. */
const STRANGER_MS = 60_000;
/** What one unknown process says, and processes; beyond it what comes is dropped. */
const WAITING_MAX = 1000;
/**
 * What all of them say, in bytes: a busy copy of the database must not fill the memory. The poll finds what is lost.
 */
const HELD_BYTES_MAX = 16 * 1024 * 1024;
const KNOWN_MAX = 1000;

export interface PeersParts {
  /** Those of these processes that write to our database, or did until they left. Rejects when it is away. */
  findWriters(processIds: readonly string[], leftAt?: ReadonlyMap<string, number>): Promise<string[]>;
  /** Touches the row of this process; resolves with the time that it has then. */
  touch?(): Promise<number | undefined>;
  /** A process of another database is on this Redis, and has been heard again. */
  onStranger?: (processId: string) => void;
}

interface Unknown {
  waiting: (() => void)[];
  /** The size of what is held back, in bytes. */
  bytes: number;
  /** It says that its own database lists it. */
  isClaimed: boolean;
  isSought: boolean;
  soughtAt: number;
}

export class Peers {
  readonly #parts: PeersParts;
  readonly #known = new Set<string>();
  readonly #unknown = new Map<string, Unknown>();
  /** When each process of another database was last heard. */
  readonly #strangers = new Map<string, number>();
  #heldBytes = 0;
  #isStopped = false;

  constructor(parts: PeersParts) {
    this.#parts = parts;
  }

  /** Processes of other databases that were heard lately. */
  get strangers(): number {
    const since = performance.now() - STRANGER_MS;
    for (const [id, heardAt] of this.#strangers) if (heardAt < since) this.#strangers.delete(id);
    return this.#strangers.size;
  }

  /**
   * Calls `take` with what this process says: at once, or in order once it is found in our database, or never.
   * `isClaim`: it says that its database lists it, so that one that is not found is of another database. `bytes`: what
   * `take` holds in memory.
   */
  hear(processId: string, take: () => void, { isClaim = false, bytes = 0 } = {}): void {
    if (this.#known.has(processId)) return take();
    let unknown = this.#unknown.get(processId);
    if (!unknown) {
      if (this.#unknown.size >= KNOWN_MAX) this.#forgetUnknown();
      unknown = {
        waiting: [],
        bytes: 0,
        isClaimed: false,
        isSought: false,
        soughtAt: Number.NEGATIVE_INFINITY,
      };
      this.#unknown.set(processId, unknown);
    }
    unknown.isClaimed ||= isClaim;
    const isDue = performance.now() - unknown.soughtAt >= ASK_AGAIN_MS;
    if (!unknown.isSought && !isDue) return;
    if (unknown.waiting.length < WAITING_MAX && this.#heldBytes + bytes <= HELD_BYTES_MAX) {
      unknown.waiting.push(take);
      unknown.bytes += bytes;
      this.#heldBytes += bytes;
    }
    if (!unknown.isSought) void this.#seek(processId, unknown);
  }

  /**
   * Those of these processes that are of our database, of which it is asked. Rejects when it is away. `leftAt`: what
   * `leave` said in those that have stopped, which may have been before this process opened the database.
   */
  async among(processIds: readonly string[], leftAt?: ReadonlyMap<string, number>): Promise<string[]> {
    const unknown = processIds.filter((id) => !this.#known.has(id));
    if (unknown.length > 0)
      for (const id of await this.#parts.findWriters(unknown, leftAt)) this.#believe(id);
    return processIds.filter((id) => this.#known.has(id));
  }

  /** This process stops: resolves with what shows others that it was of their database; undefined: nothing does. */
  async leave(): Promise<number | undefined> {
    const { touch } = this.#parts;
    return touch && (await within(LEAVE_MS, touch(), 'late').catch(() => undefined));
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #seek(processId: string, unknown: Unknown): Promise<void> {
    unknown.isSought = true;
    const from = performance.now();
    let isMissing = false;
    while (!this.#isStopped) {
      const found = await this.#parts.findWriters([processId]).catch(() => undefined);
      if (found?.includes(processId)) return this.#believe(processId);
      isMissing = found !== undefined;
      if (performance.now() - from >= HOLD_MS) break;
      await sleep(ASK_EVERY_MS, undefined, { ref: false });
    }
    this.#drop(unknown);
    unknown.isSought = false;
    unknown.soughtAt = performance.now();
    if (!isMissing || !unknown.isClaimed || this.#isStopped) return;
    if (this.#strangers.size >= KNOWN_MAX) this.#forget(this.#strangers);
    this.#strangers.set(processId, performance.now());
    this.#parts.onStranger?.(processId);
  }

  #believe(processId: string): void {
    if (this.#known.size >= KNOWN_MAX) this.#forget(this.#known);
    this.#known.add(processId);
    this.#strangers.delete(processId);
    const unknown = this.#unknown.get(processId);
    this.#unknown.delete(processId);
    for (const take of unknown ? this.#drop(unknown) : []) take();
  }

  /** Holds nothing of it any more. Returns what was held. */
  #drop(unknown: Unknown): (() => void)[] {
    const { waiting } = unknown;
    this.#heldBytes -= unknown.bytes;
    unknown.waiting = [];
    unknown.bytes = 0;
    return waiting;
  }

  #forgetUnknown(): void {
    const [oldest] = this.#unknown.values();
    if (oldest) this.#drop(oldest);
    this.#forget(this.#unknown);
  }

  /** The oldest one is looked for again when it is heard. */
  #forget(processes: Set<string> | Map<string, unknown>): void {
    for (const oldest of processes.keys()) {
      processes.delete(oldest);
      return;
    }
  }
}
