/** Checks what guests receive: nothing that happened in a public room after the change of the role was announced. */
import { verdictOn } from '../../server/rules/standing.ts';
import type { Disk } from './disk.ts';

interface Shut {
  readonly disk: Disk;
  /** The heads of the rooms that the guest is no member of, at the announcement. */
  readonly heads: ReadonlyMap<number, number>;
}

export interface GuestsOptions {
  disk: () => Disk;
  roomIds: () => readonly number[];
  violation: (text: string) => void;
}

export class Guests {
  readonly #options: GuestsOptions;
  readonly #shut = new Map<number, Shut>();
  /** By user, so that a response is that of the latest change. */
  readonly #changes = new Map<number, number>();
  readonly #ever = new Set<number>();

  constructor(options: GuestsOptions) {
    this.#options = options;
  }

  /** Whether the user may have been refused a room as a guest. */
  wasOne(userId: number): boolean {
    return this.#ever.has(userId);
  }

  /** The role is about to change. `announced`: to be called when it is stored and announced. */
  changes(userId: number, role: 'guest' | 'member'): { announced: () => void } {
    const change = (this.#changes.get(userId) ?? 0) + 1;
    this.#changes.set(userId, change);
    this.#shut.delete(userId);
    if (role === 'guest') this.#ever.add(userId);
    const announced = () => {
      if (role !== 'guest' || this.#changes.get(userId) !== change) return;
      const disk = this.#options.disk();
      const closed = this.#options.roomIds().filter((roomId) => !mayRead(disk, { roomId, userId }));
      this.#shut.set(userId, { disk, heads: new Map(closed.map((id) => [id, disk.log(id).head])) });
    };
    return { announced };
  }

  /** The user has received an event of a room, or its head. */
  hears(userId: number, { roomId, place }: { roomId: number; place: number }): void {
    const { disk, violation } = this.#options;
    const { heads, disk: known } = this.#shut.get(userId) ?? {};
    const head = heads?.get(roomId);
    if (head === undefined || place <= head || known !== disk()) return;
    const isIn = disk()
      .log(roomId)
      .rows.some(({ seq, notice }) => seq > head && JSON.parse(notice ?? '{}').member?.user_id === userId);
    // A join of a public room has no notice there, and the new member reads what happened before, too.
    if (!isIn && !mayRead(disk(), { roomId, userId }))
      violation(`user ${userId} received ${place} of room ${roomId} as a guest, after ${head}`);
  }
}

/** Whether the user may read the room as the database has it. */
export function mayRead(disk: Disk, of: { roomId: number; userId: number }): boolean {
  const standing = disk.read('standing', of);
  return standing !== undefined && verdictOn('read', standing, 0) === 'allowed';
}
