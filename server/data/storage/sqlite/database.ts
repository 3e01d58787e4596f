/** Opening SQLite as Roomful uses it, and running statements on it. In the server, only worker threads call this. */
import type { Sql, SqlValue } from '../queries/sql.ts';
import type { Steps } from '../queries/steps.ts';
import { type BatchMemory, type Prepared, prepared } from './batch-memory.ts';
import type { Sqlite, Statement } from './driver/driver.ts';
import { openDatabase } from './driver/open.ts';
import { textOf } from './statement-text.ts';

/** How long a connection waits for a lock that the other one holds; each only ever holds one for a moment. */
const BUSY_TIMEOUT_MS = 5000;
/** After a burst the log is cut back to this size. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** Each connection's cache of pages. The drivers' defaults differ. */
const PAGE_CACHE_KIB = 16_000;

/** The one connection that writes. Nothing may be written before `makeDurable`. */
export function openForWriting(file: string): Sqlite {
  return openDatabase(file, { timeoutMs: BUSY_TIMEOUT_MS });
}

/** From here on a commit is on disk before it returns: WAL with `synchronous=FULL`. */
export function makeDurable(sqlite: Sqlite): void {
  // Of a new file: compactor.ts can shorten it. An old file gets it by `VACUUM` alone (data/backup/compact.ts).
  sqlite.exec('PRAGMA auto_vacuum = INCREMENTAL');
  const mode = pragma(sqlite, 'journal_mode = WAL');
  if (mode !== 'wal') throw new Error(`write-ahead logging is not possible there, only journal mode ${mode}`);
  sqlite.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -${PAGE_CACHE_KIB};
    -- What is deleted is overwritten with zeros.
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES};
    -- Checkpoints run between batches, where their errors are seen and nobody waits for them.
    PRAGMA wal_autocheckpoint = 0`);
}

/** An empty database whose lock stands for the data folder. If the lock is taken, that shows at once. */
export function openForLocking(file: string): Sqlite {
  return openDatabase(file, { timeoutMs: 0 });
}

export function openForReading(file: string): Sqlite {
  const sqlite = openDatabase(file, { timeoutMs: BUSY_TIMEOUT_MS, readOnly: true });
  sqlite.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${PAGE_CACHE_KIB}`);
  return sqlite;
}

/** The value that a pragma returns: the first column of its first row. */
export function pragma(sqlite: Sqlite, text: string): unknown {
  return Object.values(sqlite.prepare<[], object>(`PRAGMA ${text}`).get() ?? {})[0];
}

/** Runs `body` in one transaction, which is rolled back when it throws. */
export function transaction<T>(sqlite: Sqlite, body: () => T): T {
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    const result = body();
    sqlite.exec('COMMIT');
    return result;
  } finally {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
  }
}

/**
 * The same connection, which prepares each text once: to compile a statement takes as long as to run it. For a bounded
 * number of texts.
 */
export function remembering(sqlite: Sqlite): Sqlite {
  const statements = new Map<string, Statement>();
  return {
    prepare<Values extends SqlValue[], Row>(text: string) {
      const statement = statements.get(text) ?? sqlite.prepare(text);
      statements.set(text, statement);
      return statement as unknown as Statement<Values, Row>;
    },
    exec: (text) => sqlite.exec(text),
    get inTransaction() {
      return sqlite.inTransaction;
    },
    close: () => sqlite.close(),
  };
}

/** Runs the steps of a command or a read to their end; each statement is prepared once. */
export class StepRunner {
  readonly #sqlite: Sqlite;
  readonly #memory: BatchMemory | undefined;
  readonly #statements = new Map<string, Prepared>();
  /** The same by what `sql` made, which takes no reading of the text. */
  readonly #known = new WeakMap<Sql['texts'], Prepared>();

  /** `memory`: of the batch whose commands are run. */
  constructor(sqlite: Sqlite, memory?: BatchMemory) {
    this.#sqlite = sqlite;
    this.#memory = memory;
  }

  run<T>(steps: Steps<T>): T {
    let step = steps.next();
    while (!step.done) step = steps.next(this.#execute(step.value));
    return step.value;
  }

  #execute(statement: Sql): unknown[] {
    const known = this.#known.get(statement.texts) ?? this.#prepare(statement);
    return this.#memory ? this.#memory.run(statement, known) : known.statement.all(...statement.values);
  }

  #prepare(statement: Sql): Prepared {
    const text = textOf(statement);
    const known = this.#statements.get(text) ?? prepared(this.#sqlite, text);
    this.#statements.set(text, known);
    this.#known.set(statement.texts, known);
    return known;
  }
}
