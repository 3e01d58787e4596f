/**
 * The rooms whose channels this process hears. One that everybody has left is heard a little longer: people come back.
 */

const LINGER_MS = 30_000;
const SWEEP_EVERY_MS = 5000;

export interface EnteredRoomsParts {
  subscribe(roomId: number): Promise<void>;
  unsubscribe(roomId: number): void;
}

interface Entered {
  holders: number;
  heard: Promise<void>;
}

export class EnteredRooms {
  readonly #parts: EnteredRoomsParts;
  readonly #now: () => number;
  readonly #rooms = new Map<number, Entered>();
  /** Rooms without holders, and since when; the longest first. */
  readonly #left = new Map<number, number>();
  readonly #sweeper: NodeJS.Timeout;

  /** `now`: monotonic milliseconds. */
  constructor(parts: EnteredRoomsParts, now: () => number = () => performance.now()) {
    this.#parts = parts;
    this.#now = now;
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_EVERY_MS).unref();
  }

  /** Resolves when the room's channel is heard. */
  enter(roomId: number): Promise<void> {
    let room = this.#rooms.get(roomId);
    if (!room) {
      room = { holders: 0, heard: this.#parts.subscribe(roomId) };
      this.#rooms.set(roomId, room);
    }
    room.holders++;
    this.#left.delete(roomId);
    return room.heard;
  }

  leave(roomId: number): void {
    const room = this.#rooms.get(roomId);
    if (room && --room.holders === 0) this.#left.set(roomId, this.#now());
  }

  /** Called every few seconds. */
  sweep(): void {
    const before = this.#now() - LINGER_MS;
    for (const [roomId, since] of this.#left) {
      if (since > before) return;
      this.#left.delete(roomId);
      this.#rooms.delete(roomId);
      this.#parts.unsubscribe(roomId);
    }
  }

  close(): void {
    clearInterval(this.#sweeper);
  }
}
