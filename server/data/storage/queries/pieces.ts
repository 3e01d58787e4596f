/**
 * Reads that may have to scan much. A piece visits a bounded number of rows, and says where the next one goes on, so
 * that reads of other kinds come between the pieces and never wait for a whole scan.
 */
import { MAX_ID } from '../../../../protocol/limits.ts';

/** A piece of a read: `scan` rows at most, after those that the last piece has reached. */
export type Piece<Query, Cursor> = Query & { scan: number; from?: Cursor | undefined };

export interface Scanned<Row, Cursor> {
  rows: Row[];
  /** Where to go on; undefined when all was scanned. */
  reached: Cursor | undefined;
}

/** As one piece. */
export const ALL = MAX_ID;
