/**
 * Searching rooms by a part of the name, which no index serves. It goes in pieces, so that reads of other kinds come
 * between them and never wait for a whole scan.
 */
import { AppError } from '../../../protocol/errors.ts';
import type { SearchedPiece, SearchPiece } from '../queries/rooms.ts';
import type { RoomRow, RoomsQuery } from '../store.ts';

/** Rooms that one piece scans: about a millisecond. */
const PIECE_ROOMS = 4000;
const MAX_RUNNING = 2;
/** Searches that may wait; beyond it new ones are refused at once. */
const MAX_WAITING = 200;

export class RoomSearch {
  readonly #runPiece: (piece: SearchPiece) => Promise<SearchedPiece>;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runPiece: (piece: SearchPiece) => Promise<SearchedPiece>) {
    this.#runPiece = runPiece;
  }

  /** The newest rooms that match. Rejects with `service_unavailable` when too many searches wait. */
  async run(query: RoomsQuery): Promise<RoomRow[]> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new AppError('service_unavailable', { retryAfterMs: 1000 });
    if (this.#running >= MAX_RUNNING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await this.#scan(query);
    } finally {
      // The slot goes to the search that has waited longest.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #scan(query: RoomsQuery): Promise<RoomRow[]> {
    const found: RoomRow[] = [];
    let beforeId = query.beforeId;
    for (;;) {
      const limit = query.limit - found.length;
      const { rooms, reachedId } = await this.#runPiece({ ...query, limit, beforeId, scan: PIECE_ROOMS });
      found.push(...rooms);
      if (reachedId === undefined || found.length >= query.limit) return found;
      beforeId = reachedId;
    }
  }
}
