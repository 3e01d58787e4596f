/**
 * The database server that the processes of a cluster share. A call to it and its response are events of their own: the
 * call may not arrive, its backend may start late, the response may be lost. What was committed stays committed,
 * whatever becomes of its caller, until a failover loses it.
 */
import type { CallFate } from '../../server/storage/room-lanes.ts';
import type { BatchResults } from '../../server/storage/sqlite/command-runner.ts';
import type { WriteCommand } from '../../server/storage/sqlite/worker-messages.ts';
import type { Disk } from './disk.ts';
import { newOwner, type Owner, type World } from './world.ts';

/** The probability of each, per call. */
export interface CallWeather {
  /** No connection: the call does not arrive. */
  unsent: number;
  /** The connection breaks before the response. */
  lost: number;
  /** The connection breaks, and the backend starts later: its caller may have called again by then. */
  late: number;
}

const FAIR_CALLS: CallWeather = { unsent: 0, lost: 0, late: 0 };

/** The process that calls. */
export interface Caller {
  readonly owner: Owner;
  /** The database that it knows. */
  readonly epoch: string;
  /** Nothing gets through to the database until then. */
  cutUntil: number;
  /** The database has lost what the process knows: it must end. */
  onFatal(why: string): void;
  /** Called right after a commit of this process, before its response. */
  onCommitted(): void;
}

export class CallFailure extends Error {
  readonly fate: CallFate;

  constructor(fate: CallFate, why: string) {
    super(`${why} (${fate})`);
    this.fate = fate;
  }
}

/** The last batch of a writer, and what it returned. */
interface Receipt {
  n: number;
  results: unknown[];
}

/** A caller gives up after this time. */
const DEADLINE_MS = 5000;
/** A broken connection is mostly noticed within this time. */
const BREAKS_WITHIN_MS = 100;
const LATE_MS = 3000;

export class Database {
  readonly owner = newOwner('database');
  disk: Disk;
  calls = FAIR_CALLS;
  /** No commit succeeds until then. */
  fullUntil = 0;
  /** Nobody reaches it until then. */
  awayUntil = 0;
  readonly #world: World;
  readonly #latency: { minMs: number; maxMs: number };
  readonly #receipts = new Map<string, Receipt>();
  /** How often another server has taken over, which breaks every connection. */
  #failovers = 0;

  constructor(world: World, disk: Disk, latency: { minMs: number; maxMs: number }) {
    this.#world = world;
    this.disk = disk;
    this.#latency = latency;
  }

  /** Runs `run` as one transaction. Rejects with a `CallFailure`. */
  write<T>(caller: Caller, label: string, run: (disk: Disk) => T): Promise<T> {
    return this.#call(caller, label, () => {
      if (this.#world.elapsedMs < this.fullUntil) throw new CallFailure('refused', 'the disk is full');
      return run(this.disk);
    });
  }

  read<T>(caller: Caller, label: string, run: (disk: Disk) => T): Promise<T> {
    return this.#call(caller, label, () => run(this.disk));
  }

  /**
   * Commits batch `n` of a writer, as `append_v1` does: a batch that was committed before returns what it returned then.
   */
  append(
    caller: Caller,
    { writer, n, batch }: { writer: string; n: number; batch: readonly WriteCommand[] },
  ): Promise<unknown[]> {
    return this.write(caller, `commit ${n} of ${writer}`, (disk) => {
      const done = this.#receipts.get(writer) ?? { n: 0, results: [] };
      if (done.n === n) return done.results;
      if (done.n !== n - 1) throw new CallFailure('refused', `batch ${n} of ${writer} follows on ${done.n}`);
      const { results } = succeeded(disk.commit(batch));
      this.#receipts.set(writer, { n, results });
      caller.onCommitted();
      return results;
    });
  }

  /** Another server takes over with what this disk has. */
  failOver(disk: Disk, forMs: number): void {
    if (disk.epoch !== this.disk.epoch) this.#receipts.clear();
    this.disk = disk;
    this.#failovers++;
    this.awayUntil = this.#world.elapsedMs + forMs;
  }

  /** Whether the process knows a database whose last commits are lost here. */
  isAnotherFor(caller: Caller): boolean {
    return caller.epoch !== this.disk.epoch;
  }

  heal(): void {
    this.calls = FAIR_CALLS;
    this.fullUntil = 0;
    this.awayUntil = 0;
  }

  #call<T>(caller: Caller, label: string, run: () => T): Promise<T> {
    const world = this.#world;
    const { owner } = caller;
    return new Promise((resolve, reject) => {
      const fail = (fate: CallFate, withinMs: number) =>
        world.schedule(owner, `${label}: ${fate}`, world.delay(0, withinMs), () =>
          reject(new CallFailure(fate, label)),
        );
      const isAway = world.elapsedMs < Math.max(this.awayUntil, caller.cutUntil);
      if (isAway || world.chance(this.calls.unsent)) return fail('unsent', BREAKS_WITHIN_MS);
      if (this.isAnotherFor(caller)) return this.#refuse(caller);
      const isLate = world.chance(this.calls.late);
      const isLost = isLate || world.chance(this.calls.lost);
      if (isLost) fail('unknown', world.chance(0.8) ? BREAKS_WITHIN_MS : DEADLINE_MS);
      const failovers = this.#failovers;
      const breaks = () => {
        if (!isLost) fail('unknown', BREAKS_WITHIN_MS);
      };
      world.schedule(this.owner, label, isLate ? world.delay(0, LATE_MS) : this.#delay(), () => {
        if (failovers !== this.#failovers || world.elapsedMs < this.awayUntil) return breaks();
        let settle: () => void;
        try {
          const result = run();
          settle = () => resolve(result);
        } catch (error) {
          if (!(error instanceof CallFailure)) throw error;
          settle = () => reject(error);
        }
        if (world.elapsedMs < caller.cutUntil) return breaks();
        if (!isLost) world.schedule(owner, `${label}: response`, this.#delay(), settle);
      });
    });
  }

  /** A connection is open, to another database than the one that the process knows. */
  #refuse({ owner, onFatal }: Caller): void {
    this.#world.schedule(owner, 'another epoch', this.#delay(), () => onFatal('another epoch'));
  }

  #delay(): number {
    return this.#world.delay(this.#latency.minMs, this.#latency.maxMs);
  }
}

/** What the calls of a simulation write never fails by itself. */
export function succeeded(done: BatchResults): BatchResults {
  const [failure] = done.failures;
  if (failure) throw new Error(failure.error);
  return done;
}
