/** The rooms, prepared for being searched: with thousands of them that takes a while, so it is done before anybody asks. */
import { go, type SnapshotKey, snapshot } from 'fuzzysort';

export interface SwitcherRoom {
  readonly id: number;
  readonly name: string;
}

/** A list that is searched by one of its fields. The index is built by its first use: better now than at the first key. */
export function prepareFor<T>(list: readonly T[], key: keyof T & string): SnapshotKey<T> {
  const index = snapshot(list, { key });
  go('a', index, { limit: 1 });
  return index;
}

let latest: { readonly rooms: readonly SwitcherRoom[]; readonly index: SnapshotKey<SwitcherRoom> } | null =
  null;

/** The index of the rooms. Counts change every 10 s, names hardly ever: as long as none does, it is the one from before. */
export function preparedRooms(rooms: readonly SwitcherRoom[]): SnapshotKey<SwitcherRoom> {
  if (latest === null || !hasSameNames(latest.rooms, rooms))
    latest = { rooms, index: prepareFor(rooms, 'name') };
  return latest.index;
}

function hasSameNames(a: readonly SwitcherRoom[], b: readonly SwitcherRoom[]): boolean {
  if (a === b) return true;
  return (
    a.length === b.length && a.every(({ id, name }, index) => id === b[index]?.id && name === b[index]?.name)
  );
}
