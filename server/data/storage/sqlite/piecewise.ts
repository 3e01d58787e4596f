/** Runs reads that may have to scan much, piece by piece, a few of them at a time. */
import { AppError } from '../../../../protocol/errors.ts';
import { FairQueue } from '../../../platform/limits/fair-queue.ts';
import type { Scanned } from '../queries/pieces.ts';

const MAX_RUNNING = 2;
/** Reads that may wait; beyond it the newest read of the viewer who has most is refused. */
const MAX_WAITING = 200;

export interface PiecewiseRead<Row, Cursor> {
  /** Viewers take turns, so that one who searches often delays nobody else. */
  viewerId: number | undefined;
  limit: number;
  /** A row that is found again, in a later piece, counts once. */
  idOf(row: Row): number;
  /** Reads on from where the last piece has reached. */
  piece(from: Cursor | undefined): Promise<Scanned<Row, Cursor>>;
}

interface Waiting {
  begin(): void;
  refuse(): void;
}

export class Piecewise {
  readonly #waiting = new FairQueue<Waiting>(MAX_WAITING);
  #running = 0;

  /** The first rows, in the order of the pieces. Rejects with `service_unavailable` when too many reads wait. */
  async run<Row, Cursor>(read: PiecewiseRead<Row, Cursor>): Promise<Row[]> {
    if (this.#running >= MAX_RUNNING) await this.#turn(String(read.viewerId));
    else this.#running++;
    try {
      return await scan(read);
    } finally {
      // The slot goes to the viewer whose turn it is.
      const next = this.#waiting.shift();
      if (next) next.begin();
      else this.#running--;
    }
  }

  async #turn(viewer: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new AppError('service_unavailable', { retryAfterMs: 1000 }));
      this.#waiting.push(viewer, { begin: resolve, refuse })?.refuse();
    });
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
