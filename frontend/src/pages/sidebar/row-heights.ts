import { LARGE_TARGETS, NARROW, RAIL, useMedia } from '../../stores/use-media.ts';
import { isPersonal, type RoomEntry } from './room-entry.ts';

/** What the list of rooms is: beside the room, reduced to its doors, or a page of its own. */
export type ListShape = 'list' | 'rail' | 'phone';

/** The heights of the list, in pixels. The style sheets have the same. */
export interface ListHeights {
  readonly head: number;
  /** A row with one line. */
  readonly row: number;
  /** A row with the last message beneath the name. */
  readonly tall: number;
}

const HEIGHTS = {
  list: { head: 32, row: 34, tall: 52 },
  touch: { head: 44, row: 44, tall: 56 },
  rail: { head: 17, row: 48, tall: 48 },
  phone: { head: 44, row: 68, tall: 68 },
} as const satisfies Record<string, ListHeights>;

export function useListShape(): { readonly shape: ListShape; readonly heights: ListHeights } {
  const isPhone = useMedia(NARROW);
  const isRail = useMedia(RAIL);
  const isTouch = useMedia(LARGE_TARGETS);
  const shape = isPhone ? 'phone' : isRail ? 'rail' : 'list';
  return { shape, heights: HEIGHTS[shape === 'list' && isTouch ? 'touch' : shape] };
}

/** Whether the last message stands beneath the name: everywhere on a phone, else where somebody calls the reader. */
export function hasLastLine(entry: RoomEntry, shape: ListShape): boolean {
  return entry.last !== null && (shape === 'phone' || (shape === 'list' && isPersonal(entry)));
}

export function heightOf(entry: RoomEntry, shape: ListShape, heights: ListHeights): number {
  return hasLastLine(entry, shape) ? heights.tall : heights.row;
}
