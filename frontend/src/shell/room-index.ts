/** The search index of the rooms. With thousands of them it takes a while, so it is built before it is needed. */
import { go, type SnapshotKey, snapshot } from 'fuzzysort';
import { searchForm } from '../../../protocol/search/names.ts';

export interface SwitcherRoom {
  readonly id: number;
  readonly name: string;
  readonly kind?: 'public' | 'private' | 'dm';
}

/** A room whose name the engine does not fold as the server does, such as `Łódź` or `O’Brien’s`. */
interface FoldedRoom {
  readonly room: SwitcherRoom;
  readonly form: string;
}

interface RoomIndex {
  readonly byName: SnapshotKey<SwitcherRoom>;
  readonly byForm: SnapshotKey<FoldedRoom>;
}

/** The index of a list by one of its fields. It is built by its first use, so it is used here once. */
export function prepareFor<T>(list: readonly T[], key: keyof T & string): SnapshotKey<T> {
  const index = snapshot(list, { key });
  go('a', index, { limit: 1 });
  return index;
}

let latest: { readonly rooms: readonly SwitcherRoom[]; readonly index: RoomIndex } | null = null;

/** The index of the rooms. Counts change every 10 s, names rarely: while no name changes, it is the same index. */
export function preparedRooms(rooms: readonly SwitcherRoom[]): RoomIndex {
  if (latest === null || !hasSameNames(latest.rooms, rooms))
    latest = {
      rooms,
      index: { byName: prepareFor(rooms, 'name'), byForm: prepareFor(folded(rooms), 'form') },
    };
  return latest.index;
}

/** An accent is folded by the engine, too, and a space finds a hyphen. */
const PLAIN = /^[\p{ASCII}\p{M}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u;

function folded(rooms: readonly SwitcherRoom[]): FoldedRoom[] {
  return rooms
    .filter(({ name }) => name.includes("'") || !PLAIN.test(name.normalize('NFD')))
    .map((room) => ({ room, form: searchForm(room.name) }));
}

function hasSameNames(a: readonly SwitcherRoom[], b: readonly SwitcherRoom[]): boolean {
  if (a === b) return true;
  return (
    a.length === b.length && a.every(({ id, name }, index) => id === b[index]?.id && name === b[index]?.name)
  );
}
