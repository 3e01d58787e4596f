/** The counts of unread messages that a line has asked for. */
import { UNREAD_ROOMS_MAX } from '../../../../../protocol/limits.ts';
import type { Logger } from '../../../../platform/log.ts';
import type { Refusal } from '../../wire/wire.ts';
import type { Lines } from '../lines.ts';
import { encodeEntries, type RoomsFrame } from './rooms-frame.ts';

/** A line. */
export interface Asking {
  readonly userId: number;
  isOpen(): boolean;
  /** Whether the room is on the user's list. */
  knows(roomId: number): boolean;
  sendRooms(frame: RoomsFrame): void;
  sendError(refusal: Refusal): void;
}

/**
 * Counts one frame at a time: no read costs more than a count, so a line that asks often has one waiting at most. Each
 * question is followed by a `rooms` frame, or by an error.
 */
export class Unread {
  readonly #line: Asking;
  readonly #lines: Lines;
  readonly #log: Logger;
  /** The rooms that are still to be counted. */
  readonly #asked = new Set<number>();
  #isCounting = false;

  constructor(line: Asking, lines: Lines, log: Logger) {
    this.#line = line;
    this.#lines = lines;
    this.#log = log;
  }

  /** Rooms that are not on the user's list are left out, also when no room is left. */
  ask(roomIds: readonly number[]): void {
    for (const roomId of roomIds) if (this.#line.knows(roomId)) this.#asked.add(roomId);
    if (this.#isCounting) return;
    if (this.#asked.size > 0) void this.#countAll();
    else this.#line.sendRooms({ entries: [], complete: false });
  }

  async #countAll(): Promise<void> {
    this.#isCounting = true;
    while (this.#asked.size > 0 && this.#line.isOpen()) {
      const roomIds = [...this.#asked].slice(0, UNREAD_ROOMS_MAX);
      for (const roomId of roomIds) this.#asked.delete(roomId);
      await this.#count(roomIds);
    }
    this.#isCounting = false;
  }

  async #count(roomIds: number[]): Promise<void> {
    const { userId } = this.#line;
    const counted = roomIds.length;
    try {
      const rows = await this.#lines.parts.store.entries({ userId, roomIds, maxDms: counted, counted });
      const known = rows.filter(({ room }) => this.#line.knows(room.id));
      this.#line.sendRooms({ entries: encodeEntries(known, this.#lines), complete: false });
    } catch (error) {
      this.#log.warn({ err: error, userId }, 'unread messages could not be counted');
      this.#line.sendError({ code: 'service_unavailable' });
    }
  }
}
