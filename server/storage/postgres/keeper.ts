/**
 * The lock that keeps a second process away: without Redis the processes of one database would not hear of each other's
 * messages. It belongs to a session, so it ends with the process, however that ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../queries/sql.ts';
import { WrongDatabaseError } from '../unusable-database.ts';
import type { Connection } from './connection.ts';

const LOCK = 6;
const STATEMENT_MS = 4000;
/** The server frees the lock of a process whose machine is gone within about 10 s. */
const TAKE_WITHIN_MS = 15_000;
const PAUSE_MS = 500;

export interface KeeperParts {
  open(): Promise<Connection>;
  onFatal(error: Error): void;
}

export class Keeper {
  readonly #parts: KeeperParts;
  #connection: Connection | undefined;
  #isEnding = false;

  private constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Rejects with WrongDatabaseError when another process has the database. */
  static async start(parts: KeeperParts): Promise<Keeper> {
    const keeper = new Keeper(parts);
    if (await keeper.#take()) return keeper;
    throw new WrongDatabaseError(
      'Another Roomful process uses this database. Several processes need a REDIS_URL, which this version does not ' +
        'support. Stop the other process, or name another database in DATABASE_URL.',
    );
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#connection?.close();
  }

  /** Whether the lock is ours. Waits for a process that is just ending. */
  async #take(): Promise<boolean> {
    const deadline = performance.now() + TAKE_WITHIN_MS;
    const connection = await this.#parts.open();
    for (;;) {
      const [row] = await connection.query<{ taken: boolean }>(
        sql`SELECT pg_try_advisory_lock(${LOCK}::bigint) AS taken`,
        STATEMENT_MS,
      );
      if (row?.taken) break;
      if (performance.now() > deadline) {
        await connection.close();
        return false;
      }
      await sleep(PAUSE_MS);
    }
    this.#connection = connection;
    connection.onLost(() => void this.#retake());
    return true;
  }

  /** The session is over, and with it the lock: another process may have taken it meanwhile. */
  async #retake(): Promise<void> {
    while (!this.#isEnding) {
      try {
        if (!(await this.#take()))
          this.#parts.onFatal(new Error('another process has taken over the database'));
        return;
      } catch {
        await sleep(PAUSE_MS);
      }
    }
  }
}
