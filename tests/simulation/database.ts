/**
 * The database server that the processes of a cluster share. A call to it and its response are events of their own: the
 * call may not arrive, its backend may start late, the response may be lost. A transaction holds its rows until its
 * commit, and those that want them wait. What was committed stays committed, whatever becomes of its caller, until a
 * failover loses it.
 */
import type { CallFate } from '../../server/data/storage/room-lanes.ts';
import type { BatchResults } from '../../server/data/storage/sqlite/command-runner.ts';
import type { WriteCommand } from '../../server/data/storage/sqlite/worker-messages.ts';
import type { AppendOutcome } from '../../server/data/storage/store.ts';
import type { Disk } from './disk.ts';
import { RowLocks, roomRow } from './row-locks.ts';
import { newOwner, type Owner, type World } from './world.ts';

/** The probability of each, per call. */
export interface CallWeather {
  /** No connection: the call does not arrive. */
  unsent: number;
  /** The connection breaks before the response. */
  lost: number;
  /** The connection breaks, and the backend starts later: its caller may have called again by then. */
  late: number;
  /** A transaction takes seconds from its last statement to its commit, and holds its rows for as long. */
  slow: number;
}

const FAIR_CALLS: CallWeather = { unsent: 0, lost: 0, late: 0, slow: 0 };

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
  results: AppendOutcome[];
}

export type AppendCommand = Extract<WriteCommand, { name: 'append' }>;

/** What a command does, and the rows that it locks first. */
export interface Command<T> {
  rows: readonly string[];
  run: (disk: Disk) => T;
}

/** A transaction of several statements that has not ended. */
interface OpenTransaction {
  readonly owner: Owner;
  isOpen: boolean;
  /** Others get its rows. */
  end(): void;
}

/** A caller gives up after this time. */
const DEADLINE_MS = 5000;
/** A broken connection is mostly noticed within this time. */
const BREAKS_WITHIN_MS = 100;
const LATE_MS = 3000;
const SLOW_MS = 3500;
/** As `idle_in_transaction_session_timeout` in `server/data/storage/postgres/connection.ts`. */
const IDLE_MS = 5000;

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
  readonly #transactions = new Set<OpenTransaction>();
  #locks: RowLocks;
  /** How often another server has taken over, which breaks every connection and ends every transaction. */
  #failovers = 0;

  constructor(world: World, disk: Disk, latency: { minMs: number; maxMs: number }) {
    this.#world = world;
    this.disk = disk;
    this.#latency = latency;
    this.#locks = new RowLocks(world, this.owner);
  }

  /** Runs a command as one transaction, whose rows are locked before its statements. Rejects with a `CallFailure`. */
  async write<T>(caller: Caller, label: string, { rows, run }: Command<T>): Promise<T> {
    const transaction = rows.length > 0 ? await this.#begin(caller, label, rows) : null;
    const commit = async () => {
      await this.#flush();
      if (transaction?.isOpen === false) throw new CallFailure('refused', 'the transaction was rolled back');
      transaction?.end();
      return this.#commit(run);
    };
    return await this.#call(caller, label, commit);
  }

  read<T>(caller: Caller, label: string, run: (disk: Disk) => T): Promise<T> {
    return this.#call(caller, label, async () => run(this.disk));
  }

  /**
   * Commits batch `n` of a writer, as `append_v1` does: a batch that was committed before returns what it returned
   * then. The texts are numbered once the rooms are locked, and the commit comes later.
   */
  append(
    caller: Caller,
    { writer, n, batch }: { writer: string; n: number; batch: readonly AppendCommand[] },
  ): Promise<AppendOutcome[]> {
    const rooms = [...new Set(batch.map(({ args }) => args.roomId))].sort((one, other) => one - other);
    return this.#call(caller, `commit ${n} of ${writer}`, async () => {
      const failovers = this.#failovers;
      const release = await this.#locks.take([`writers ${writer}`, ...rooms.map(roomRow)]);
      if (release === null) throw new CallFailure('refused', 'a lock was not to be had in time');
      try {
        const done = this.#receipts.get(writer) ?? { n: 0, results: [] };
        if (done.n === n) return done.results;
        if (done.n !== n - 1)
          throw new CallFailure('refused', `batch ${n} of ${writer} follows on ${done.n}`);
        const decided = this.disk.foresee(batch);
        await this.#flush(failovers);
        // PostgreSQL stores what was decided, also when somebody became a guest since. This disk decides once more.
        const isAsDecided = this.disk
          .foresee(batch)
          .every(({ outcome }, index) => outcome === decided[index]?.outcome);
        if (!isAsDecided) throw new CallFailure('refused', 'a role has changed meanwhile');
        const stored = this.#commit((disk) => succeeded(disk.commit(batch)).results as AppendOutcome[]);
        const results = stored.map((outcome, index) => asDecided(outcome, decided[index]));
        this.#receipts.set(writer, { n, results });
        caller.onCommitted();
        return results;
      } finally {
        release();
      }
    });
  }

  /** Another server takes over with what this disk has. */
  failOver(disk: Disk, forMs: number): void {
    if (disk.epoch !== this.disk.epoch) this.#receipts.clear();
    for (const transaction of this.#transactions) transaction.end();
    this.disk = disk;
    this.#failovers++;
    this.#locks = new RowLocks(this.#world, this.owner);
    this.awayUntil = this.#world.elapsedMs + forMs;
  }

  /**
   * A process has ended, and its connections with it. The transactions of a silent one stay open until they time out.
   */
  left(owner: Owner, isSilent: boolean): void {
    if (isSilent) return;
    for (const transaction of this.#transactions)
      if (transaction.owner === owner) this.#soon(`roll back of ${owner.name}`, () => transaction.end());
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

  /** Begins a transaction and locks its rows. It ends by itself when nothing more is heard of it. */
  async #begin(caller: Caller, label: string, rows: readonly string[]): Promise<OpenTransaction> {
    const transaction: OpenTransaction = { owner: caller.owner, isOpen: true, end: () => {} };
    const begin = async () => {
      const release = await this.#locks.take(rows);
      if (release === null) throw new CallFailure('refused', 'a lock was not to be had in time');
      this.#transactions.add(transaction);
      const idle = this.#world.schedule(this.owner, `${label}: idle for too long`, IDLE_MS, () =>
        transaction.end(),
      );
      transaction.end = () => {
        idle.isCancelled = true;
        transaction.isOpen = false;
        this.#transactions.delete(transaction);
        transaction.end = () => {};
        release();
      };
    };
    try {
      await this.#call(caller, `${label}: begin`, begin);
      return transaction;
    } catch (error) {
      // Its connection is closed, or will be.
      this.#soon(`${label}: roll back`, () => transaction.end());
      if (!(error instanceof CallFailure) || error.fate !== 'unknown') throw error;
      throw new CallFailure('unsent', label);
    }
  }

  #soon(label: string, run: () => void): void {
    this.#world.schedule(this.owner, label, this.#world.delay(0, BREAKS_WITHIN_MS), run);
  }

  #commit<T>(run: (disk: Disk) => T): T {
    if (this.#world.elapsedMs < this.fullUntil) throw new CallFailure('refused', 'the disk is full');
    return run(this.disk);
  }

  /** From the last statement to the commit, which there is none of when another server has taken over. */
  async #flush(failovers = this.#failovers): Promise<void> {
    const ms = this.#world.chance(this.calls.slow) ? this.#world.delay(0, SLOW_MS) : this.#delay();
    await new Promise<void>((resolve) => this.#world.schedule(this.owner, 'flush', ms, resolve));
    if (failovers !== this.#failovers) throw new CallFailure('unknown', 'another server has taken over');
  }

  #call<T>(caller: Caller, label: string, run: () => Promise<T>): Promise<T> {
    const world = this.#world;
    const { owner } = caller;
    return new Promise((resolve, reject) => {
      const fail = (fate: CallFate, withinMs: number) =>
        world.schedule(owner, `${label}: ${fate}`, world.delay(0, withinMs), () => {
          deadline.isCancelled = true;
          reject(new CallFailure(fate, label));
        });
      const deadline = world.schedule(owner, `${label}: deadline`, DEADLINE_MS, () =>
        reject(new CallFailure('unknown', label)),
      );
      const isAway = world.elapsedMs < Math.max(this.awayUntil, caller.cutUntil);
      if (isAway || world.chance(this.calls.unsent)) return fail('unsent', BREAKS_WITHIN_MS);
      if (this.isAnotherFor(caller)) return this.#refuse(caller);
      const isLate = world.chance(this.calls.late);
      const isLost = isLate || world.chance(this.calls.lost);
      // Else only the deadline shows it.
      if (isLost && world.chance(0.8)) fail('unknown', BREAKS_WITHIN_MS);
      const failovers = this.#failovers;
      const breaks = () => {
        if (!isLost) fail('unknown', BREAKS_WITHIN_MS);
      };
      const respond = (settle: () => void) => {
        if (failovers !== this.#failovers || world.elapsedMs < caller.cutUntil) return breaks();
        if (isLost) return;
        world.schedule(owner, `${label}: response`, this.#delay(), () => {
          deadline.isCancelled = true;
          settle();
        });
      };
      world.schedule(this.owner, label, isLate ? world.delay(0, LATE_MS) : this.#delay(), () => {
        if (failovers !== this.#failovers || world.elapsedMs < this.awayUntil) return breaks();
        run().then(
          (result) => respond(() => resolve(result)),
          (error) => {
            if (!(error instanceof CallFailure)) throw error;
            respond(() => reject(error));
          },
        );
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

/** The outcome that was decided before the commit. Ids alone come from a sequence, which knows no transactions. */
function asDecided(stored: AppendOutcome, decided: AppendOutcome | undefined): AppendOutcome {
  if (stored.outcome !== 'stored' || decided?.outcome !== 'stored') return decided ?? stored;
  const { seq, number, createdAt } = decided;
  return { ...stored, seq, number, createdAt };
}

/** What the calls of a simulation write never fails by itself. */
export function succeeded(done: BatchResults): BatchResults {
  const [failure] = done.failures;
  if (failure) throw new Error(failure.error);
  return done;
}
