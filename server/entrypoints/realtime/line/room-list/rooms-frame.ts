/** Rooms of a list as a `rooms` frame has them, in frames of limited size. */
import type { RoomEntry } from '../../../../../protocol/rooms.ts';
import type { EntryRow } from '../../../../data/storage/store.ts';
import { toEntry } from '../../../../features/rooms/shapes.ts';
import type { Lines } from '../lines.ts';

/** A frame ends after about this much text: a description may have 2000 characters, and a list 500 rooms. */
const FRAME_CHARACTERS = 128 * 1024;
/** Rooms in one read for a further frame. */
export const ROOMS_A_READ = 100;

export interface RoomsFrame {
  /** The JSON of each entry. */
  entries: readonly string[];
  complete: boolean;
  /** A complete list goes on in the next frame. */
  more?: boolean;
}

/** An entry as it is sent. */
export function entryOf(row: EntryRow, { parts }: Lines): RoomEntry {
  return toEntry(row, parts.presence.online(row.room.id));
}

export function encodeEntries(rows: readonly EntryRow[], { entryEncoder }: Lines): string[] {
  return rows.map((row) => entryEncoder.encode(row));
}

/** As many of the rows as fit into a frame, at least one if there is one, and the rooms of the others. */
export function firstOf(
  rows: readonly EntryRow[],
  { entryEncoder }: Lines,
): { entries: string[]; left: number[] } {
  const entries: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const entry = entryEncoder.encode(row);
    characters += entry.length;
    if (entries.length > 0 && characters > FRAME_CHARACTERS) break;
    entries.push(entry);
  }
  return { entries, left: rows.slice(entries.length).map(({ room }) => room.id) };
}
