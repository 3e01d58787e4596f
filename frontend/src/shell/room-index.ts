/** The search index of the rooms. With thousands of them it takes a while, so it is built before it is needed. */
import { go, type SnapshotKey, snapshot } from 'fuzzysort';

export interface SwitcherRoom {
  readonly id: number;
  readonly name: string;
}

/** The index of a list by one of its fields. It is built by its first use, so it is used here once. */
export function prepareFor<T>(list: readonly T[], key: keyof T & string): SnapshotKey<T> {
  const index = snapshot(list, { key });
  go('a', index, { limit: 1 });
  return index;
}

let latest: { readonly rooms: readonly SwitcherRoom[]; readonly index: SnapshotKey<SwitcherRoom> } | null =
  null;

/** The index of the rooms. Counts change every 10 s, names rarely: while no name changes, it is the same index. */
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
