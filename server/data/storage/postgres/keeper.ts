/**
 * The connection that keeps this process's claim on the database: an advisory lock, shared among processes that hear
 * each other through Redis, exclusive for a process alone. Without Redis the processes of one database would not hear
 * of each other's messages. The lock belongs to the session, so it ends with the process, however that ends.
 *
 * The connection only ever reads. A write may wait for a standby after its client is gone, and would hold the lock
 * while it waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeReading } from '../../../platform/clock.ts';
import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import { type Sql, sql } from '../queries/sql.ts';
import type { Connection } from './connection.ts';

const LOCK = 6;
const STATEMENT_MS = 4000;
/** The server frees the lock of a process whose machine is gone within about 10 s. */
const TAKE_WITHIN_MS = 15_000;
const PAUSE_MS = 500;
/** A connection that is cut off without a word is found by this. Shorter while commits wait for a standby. */
const BEAT_MS = { quiet: 10_000, waiting: 2000 };

const BEAT = sql`
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS now, (
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
  ) AS waiting`;

export interface KeeperParts {
  /** Whether other processes, which are shared too, may use the database. */
  isShared: boolean;
  /** How long to wait for a process that is just ending. */
  takeWithinMs?: number | undefined;
  open(): Promise<Connection>;
  /** Called at the start and every 10 s. */
  onTime(reading: TimeReading): void;
  onFatal(error: Error): void;
}

export class Keeper {
  readonly #parts: KeeperParts;
  readonly #lock: Sql;
  #connection: Connection | undefined;
  #beat: NodeJS.Timeout | undefined;
  #isEnding = false;
  /**
   * Commits in the database that wait for its standby, as of the last beat. They go on after their clients are gone,
   * each with a connection of the server.
   */
  waitingCommits = 0;

  private constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#lock = parts.isShared
      ? sql`SELECT pg_try_advisory_lock_shared(${LOCK}::bigint) AS taken`
      : sql`SELECT pg_try_advisory_lock(${LOCK}::bigint) AS taken`;
  }

  /** Rejects with UnusableDatabaseError when other processes have the database. */
  static async start(parts: KeeperParts): Promise<Keeper> {
    const keeper = new Keeper(parts);
    if (await keeper.#take()) return keeper;
    // The other one may only be slow to end.
    throw new UnusableDatabaseError(
      parts.isShared
        ? 'A Roomful process without REDIS_URL uses this database. Stop it, or give it the same REDIS_URL.'
        : 'Another Roomful process uses this database. Stop it first, or give all servers the same REDIS_URL.',
    );
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#beat);
    await this.#connection?.close();
  }

  /** Whether the lock is ours. Waits for a process that is just ending. */
  async #take(): Promise<boolean> {
    const connection = await this.#parts.open();
    try {
      if (!(await this.#lockOver(connection))) {
        await connection.close();
        return false;
      }
      await this.#readTime(connection);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    this.#connection = connection;
    connection.onLost(() => void this.#retake());
    this.#beatLater(connection);
    return true;
  }

  async #lockOver(connection: Connection): Promise<boolean> {
    const deadline = performance.now() + (this.#parts.takeWithinMs ?? TAKE_WITHIN_MS);
    for (;;) {
      const [row] = await connection.query<{ taken: boolean }>(this.#lock, STATEMENT_MS);
      if (row?.taken) return true;
      if (performance.now() > deadline) return false;
      await sleep(PAUSE_MS);
    }
  }

  #beatLater(connection: Connection): void {
    clearTimeout(this.#beat);
    this.#beat = setTimeout(
      () => {
        this.#readTime(connection).then(
          () => this.#beatLater(connection),
          () => connection.destroy(),
        );
      },
      this.waitingCommits > 0 ? BEAT_MS.waiting : BEAT_MS.quiet,
    ).unref();
  }

  async #readTime(connection: Connection): Promise<void> {
    const sentAt = performance.now();
    const [row] = await connection.query<{ now: number; waiting: number }>(BEAT, STATEMENT_MS);
    this.waitingCommits = row?.waiting ?? 0;
    if (row) this.#parts.onTime({ now: row.now, sentAt, receivedAt: performance.now() });
  }

  /** The session is over, and with it the lock: another process may have taken it meanwhile. */
  async #retake(): Promise<void> {
    clearTimeout(this.#beat);
    while (!this.#isEnding) {
      try {
        if (await this.#take()) return this.#isEnding ? await this.end() : undefined;
        return this.#parts.onFatal(new Error('another process has taken over the database'));
      } catch {
        await sleep(PAUSE_MS);
      }
    }
  }
}
