/** Runs reads that may have to scan much, piece by piece, a few of them at a time. */
import { AppError } from '../../../protocol/errors.ts';
import type { Scanned } from '../queries/pieces.ts';

const MAX_RUNNING = 2;
/** Reads that may wait; beyond it new ones are refused at once. */
const MAX_WAITING = 200;

export interface PiecewiseRead<Row, Cursor> {
  limit: number;
  /** A row that is found again, in a later piece, counts once. */
  idOf(row: Row): number;
  /** Reads on from where the last piece has reached. */
  piece(from: Cursor | undefined): Promise<Scanned<Row, Cursor>>;
}

export class Piecewise {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** The first rows, in the order of the pieces. Rejects with `service_unavailable` when too many reads wait. */
  async run<Row, Cursor>(read: PiecewiseRead<Row, Cursor>): Promise<Row[]> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new AppError('service_unavailable', { retryAfterMs: 1000 });
    if (this.#running >= MAX_RUNNING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await scan(read);
    } finally {
      // The slot goes to the read that has waited longest.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

async function scan<Row, Cursor>({ limit, idOf, piece }: PiecewiseRead<Row, Cursor>): Promise<Row[]> {
  const found = new Map<number, Row>();
  let from: Cursor | undefined;
  do {
    const { rows, reached } = await piece(from);
    for (const row of rows) if (!found.has(idOf(row))) found.set(idOf(row), row);
    from = reached;
  } while (from !== undefined && found.size < limit);
  return [...found.values()].slice(0, limit);
}
