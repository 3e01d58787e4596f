/**
 * What a process has of its own in the database, in `writers`: a receipt of the last batch of each writer (append_v1),
 * and a row to see whether a write succeeds. Rows of processes that have not written for a day are deleted.
 */
import { randomUUID } from 'node:crypto';
import { list, sql } from '../queries/sql.ts';
import { all, run, type Steps } from '../queries/steps.ts';
import type { Connection } from './connection.ts';
import { runSteps } from './transactions.ts';

const DAY_MS = 86_400_000;
/** Processes note their Redis each minute. */
const NOTED_MS = 150_000;
const NOW = sql`(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT`;

interface Row {
  id: string;
  touchedAt: number;
}

const ROWS = sql`SELECT id::text AS id, touched_at AS "touchedAt" FROM writers`;

export class Receipts {
  /** Names this run of the process, in `writers` and to other processes. */
  readonly processId = randomUUID();
  /** The names of the writers. */
  readonly writers: readonly string[];
  /** When each row was last touched as this process opened the database. A copy of it has the rows of its original. */
  #before: ReadonlyMap<string, number> = new Map();
  #keptAt = performance.now();

  private constructor(writers: number) {
    this.writers = Array.from({ length: writers }, () => randomUUID());
  }

  static async create(connection: Connection, writers: number): Promise<Receipts> {
    const receipts = new Receipts(writers);
    receipts.#before = new Map(
      (await runSteps(connection, all<Row>(ROWS))).map(({ id, touchedAt }) => [id, touchedAt]),
    );
    for (const id of receipts.#ids)
      await runSteps(connection, run(sql`INSERT INTO writers (id, touched_at) VALUES (${id}, ${NOW})`));
    return receipts;
  }

  /**
   * Steps that return those of these processes that write to this database, as far as can be known. `leftAt`: when
   * processes that have stopped touched their rows for the last time (`touch`). A copy that was made before has an
   * older row.
   */
  *writersAmong(processIds: readonly string[], leftAt?: ReadonlyMap<string, number>): Steps<string[]> {
    if (processIds.length === 0) return [];
    const rows = yield* all<Row>(sql`
      SELECT id::text AS id, touched_at AS "touchedAt" FROM writers WHERE id::text IN (${list(processIds)})`);
    return rows
      .filter(({ id, touchedAt }) => {
        return (
          this.#before.get(id) !== touchedAt || touchedAt >= (leftAt?.get(id) ?? Number.POSITIVE_INFINITY)
        );
      })
      .map(({ id }) => id);
  }

  /** Steps that write, and mean nothing else. Return the time that they wrote, in milliseconds of the database. */
  *touch(): Steps<number | undefined> {
    const [row] = yield* all<{ at: number }>(
      sql`UPDATE writers SET touched_at = ${NOW} WHERE id = ${this.processId} RETURNING touched_at AS at`,
    );
    return row?.at;
  }

  /** Steps that note the Redis that this process uses, and return those that processes have noted lately. */
  *noteRedis(marker: string): Steps<string[]> {
    yield* run(sql`UPDATE writers SET bus_id = ${marker}, touched_at = ${NOW} WHERE id = ${this.processId}`);
    const rows = yield* all<{ marker: string }>(
      sql`SELECT DISTINCT bus_id AS marker FROM writers
        WHERE bus_id IS NOT NULL AND touched_at > ${NOW} - ${NOTED_MS}::bigint`,
    );
    return rows.map(({ marker }) => marker);
  }

  /** Steps that keep what is ours for another day, and delete what nobody keeps. */
  *keep(): Steps<void> {
    for (const id of this.#ids) yield* run(sql`UPDATE writers SET touched_at = ${NOW} WHERE id = ${id}`);
    yield* run(sql`DELETE FROM writers WHERE touched_at < ${NOW} - ${DAY_MS}::bigint`);
    this.#keptAt = performance.now();
  }

  /** Whether ours may have been deleted: this process stood still for a day. */
  get mayBeDeleted(): boolean {
    return performance.now() - this.#keptAt > DAY_MS;
  }

  get #ids(): string[] {
    return [this.processId, ...this.writers];
  }
}
