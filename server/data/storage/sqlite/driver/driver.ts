/**
 * What Roomful needs of a SQLite driver. Node 24 and later use the one that is built into Node, earlier versions use
 * better-sqlite3 (docs/decisions/0022-a-sqlite-driver-for-each-node.md). Both are synchronous.
 */
import type { SqlValue } from '../../queries/sql.ts';

export interface Statement<Values extends SqlValue[] = SqlValue[], Row = unknown> {
  /** All rows; none for a statement that returns no rows. */
  all(...values: Values): Row[];
  /** The first row, if there is one. Only for statements that return rows. */
  get(...values: Values): Row | undefined;
  run(...values: Values): { changes: number; lastInsertRowid: number };
}

export interface Sqlite {
  prepare<Values extends SqlValue[] = SqlValue[], Row = unknown>(text: string): Statement<Values, Row>;
  /** Runs one or more statements and ignores their rows. */
  exec(text: string): void;
  readonly inTransaction: boolean;
  close(): void;
}

export interface OpenOptions {
  /** How long a statement waits for another connection's lock, in milliseconds. */
  timeoutMs: number;
  readOnly?: boolean;
}

/** SQLite's name of an error, such as `SQLITE_BUSY`; empty when the error is not SQLite's. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  if (error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error) return nameOf(Number(error.errcode));
  return String(error.code);
}

/** An error as one line for the log: SQLite's name for it, where it has one, and its message. */
export function describe(error: unknown): string {
  return error instanceof Error ? `${codeOf(error) || error.name}: ${error.message}` : String(error);
}

/** The result codes that Roomful treats differently from others (https://sqlite.org/rescode.html). */
const NAMES: Record<number, string> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  25: 'SQLITE_RANGE',
  26: 'SQLITE_NOTADB',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1034: 'SQLITE_IOERR_FSYNC',
  1290: 'SQLITE_IOERR_DIR_FSYNC',
  4874: 'SQLITE_IOERR_SHMSIZE',
};

/** An extended code that has no name here goes by its primary code, which is its low byte. */
function nameOf(code: number): string {
  return NAMES[code] ?? NAMES[code & 0xff] ?? `SQLITE_${code}`;
}
