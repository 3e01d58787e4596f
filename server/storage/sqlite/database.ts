/** Opening SQLite, and running statements on it. Only ever called inside a worker thread. */
import Database from 'better-sqlite3';
import { render, type Sql } from '../queries/sql.ts';
import type { Steps } from '../queries/steps.ts';

export type Sqlite = Database.Database;

/** How long a connection waits for a lock that the other one holds; they only ever hold one for a moment. */
const BUSY_TIMEOUT_MS = 5000;
/** After a burst the log is cut back to this. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

/** The one connection that writes; not to be written to before `makeDurable`. */
export function openForWriting(file: string): Sqlite {
  return new Database(file, { timeout: BUSY_TIMEOUT_MS });
}

/** From here on a commit is on disk before it returns: WAL with `synchronous=FULL`. */
export function makeDurable(sqlite: Sqlite): void {
  const mode = sqlite.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') throw new Error(`write-ahead logging is not possible there, only journal mode ${mode}`);
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
  // Checkpoints are run between batches, where their errors are seen and nobody waits for them.
  sqlite.pragma('wal_autocheckpoint = 0');
}

/** An empty database whose lock stands for the data folder; who finds it taken is told so at once. */
export function openForLocking(file: string): Sqlite {
  return new Database(file, { timeout: 0 });
}

export function openForReading(file: string): Sqlite {
  const sqlite = new Database(file, { timeout: BUSY_TIMEOUT_MS, readonly: true });
  sqlite.pragma('query_only = ON');
  return sqlite;
}

/** Runs a use case's steps to their end, synchronously; statements are prepared once. */
export class StepRunner {
  readonly #sqlite: Sqlite;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
  }

  run<T>(steps: Steps<T>): T {
    let step = steps.next();
    while (!step.done) step = steps.next(this.#execute(step.value));
    return step.value;
  }

  #execute(statement: Sql): unknown[] {
    const text = render(statement, () => '?');
    let prepared = this.#statements.get(text);
    if (!prepared) {
      prepared = this.#sqlite.prepare(text);
      this.#statements.set(text, prepared);
    }
    if (prepared.reader) return prepared.all(...statement.values);
    prepared.run(...statement.values);
    return [];
  }
}

/** SQLite's name for an error, or nothing. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
