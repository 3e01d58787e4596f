import { useEffect, useLayoutEffect, useMemo } from 'react';
import { chat } from '../../stores/chat.ts';
import { useFoldedGroups } from '../../stores/folded-groups.ts';
import { useShownRooms } from '../../stores/shown-rooms.ts';
import { isPersonal, type RoomEntry } from './room-entry.ts';
import { GROUP_KINDS, type GroupKind, type RoomGroup } from './room-groups.ts';

/** How many rooms of each group have exact counts. */
const LOOKED_AT = 40;

/** How many unread rooms are shown at first. One that calls the reader always is. */
const UNREAD_ROWS = 8;

export interface ShownGroup {
  readonly kind: GroupKind;
  readonly isFolded: boolean;
  /** Without those that are folded away. */
  readonly entries: readonly RoomEntry[];
  /** How many unread rooms are not shown; 0: all are, and can be fewer. Null: there are not that many. */
  readonly more: number | null;
}

/** The groups that the list shows, with their rows. */
export function useShownGroups(groups: readonly RoomGroup[], roomId: number | null): readonly ShownGroup[] {
  const folded = useFoldedGroups((store) => store.folded);
  const hasRest = useFoldedGroups((store) => store.hasRest);
  return useMemo(() => {
    // The heads of the rooms and of the people lead to others, so they are always there.
    const kinds = GROUP_KINDS.filter(
      (kind) => kind === 'rooms' || kind === 'direct' || groups.some((group) => group.kind === kind),
    );
    return kinds.map((kind) => {
      const all = groups.find((group) => group.kind === kind)?.entries ?? [];
      const isFolded = folded.includes(kind);
      // The open room is never out of sight.
      if (isFolded) return { kind, isFolded, entries: all.filter(({ id }) => id === roomId), more: null };
      if (kind !== 'unread' || all.length <= UNREAD_ROWS) return { kind, isFolded, entries: all, more: null };
      const first = all.filter((entry, at) => at < UNREAD_ROWS || isPersonal(entry) || entry.id === roomId);
      if (first.length === all.length) return { kind, isFolded, entries: all, more: null };
      return {
        kind,
        isFolded,
        entries: hasRest ? all : first,
        more: hasRest ? 0 : all.length - first.length,
      };
    });
  }, [groups, folded, hasRest, roomId]);
}

/** Tells the rest of the client, and the server, which rooms have a row. */
export function useShownRows(shown: readonly ShownGroup[]): void {
  useLayoutEffect(() => {
    useShownRooms.setState({ ids: shown.flatMap(({ entries: list }) => list.map(({ id }) => id)) });
  }, [shown]);

  // What the rows show is counted by the server where this device cannot count it.
  useEffect(() => {
    chat().rooms.look(shown.flatMap(({ entries: list }) => list.slice(0, LOOKED_AT).map(({ id }) => id)));
  }, [shown]);
}
