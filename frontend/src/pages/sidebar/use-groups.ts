import { useMemo, useRef } from 'react';
import type { RoomEntry } from './room-entry.ts';
import { heldGroups, type RoomGroup, roomGroups } from './room-groups.ts';

/** The groups of the list. While it is held, under a pointer or the focus, rooms come and go but do not move. */
export function useGroups(entries: readonly RoomEntry[], isHeld: boolean): readonly RoomGroup[] {
  const shown = useRef<readonly RoomGroup[]>([]);
  const groups = useMemo(
    () => (isHeld ? heldGroups(shown.current, entries) : roomGroups(entries)),
    [entries, isHeld],
  );
  shown.current = groups;
  return groups;
}
