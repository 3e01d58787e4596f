/**
 * Entries of lists of rooms as JSON. After a restart every line gets its list within seconds, and the same rooms are on
 * many lists, so the parts that are the same for everybody are encoded once.
 */
import type { EntryRow } from '../../../data/storage/store.ts';
import { roleOf, toLast, toOwn, toRoom } from '../../../features/rooms/shapes.ts';

type Shared = Pick<EntryRow, 'room' | 'last'>;

/** The parts of a room's entry that all its members get, and what they were made from. */
interface Encoded extends Shared {
  online: number;
  roomJson: string;
  lastJson: string;
}

export class EntryEncoder {
  readonly #online: (roomId: number) => number;
  /** By room; of this second, so that it needs no other bound. */
  readonly #encoded = new Map<number, Encoded>();

  constructor(online: (roomId: number) => number) {
    this.#online = online;
  }

  /** `JSON.stringify(toEntry(row, online))`. */
  encode(row: EntryRow): string {
    const { room, last, member } = row;
    const online = this.#online(room.id);
    const own = JSON.stringify(toOwn(row)).slice(1, -1);
    if (room.kind === 'dm') {
      const shape = toRoom(room, { online, role: roleOf(member), people: row.people });
      return `{"room":${JSON.stringify(shape)},${own},"last":${encodeLast(last)}}`;
    }
    const { roomJson, lastJson } = this.#shared({ room, last }, online);
    return `{"room":${withRole(roomJson, roleOf(member))},${own},"last":${lastJson}}`;
  }

  /** Called each second. */
  tick(): void {
    this.#encoded.clear();
  }

  #shared({ room, last }: Shared, online: number): Encoded {
    const before = this.#encoded.get(room.id);
    if (before?.online === online && isSame(before.room, room) && isSame(before.last, last)) return before;
    const roomJson = JSON.stringify(toRoom(room, { online }));
    const encoded = { room, last, online, roomJson, lastJson: encodeLast(last) };
    this.#encoded.set(room.id, encoded);
    return encoded;
  }
}

function encodeLast(last: EntryRow['last']): string {
  return last === null ? 'null' : JSON.stringify(toLast(last));
}

/** The role is a room's last field. */
function withRole(roomJson: string, role: string | undefined): string {
  return role === undefined ? roomJson : `${roomJson.slice(0, -1)},"me_role":"${role}"}`;
}

/** Whether two flat rows of one kind are the same. */
function isSame<Row extends object>(one: Row | null, other: Row | null): boolean {
  if (one === null || other === null) return one === other;
  for (const key in one) if (one[key] !== other[key]) return false;
  return true;
}
