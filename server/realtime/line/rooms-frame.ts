/** Rooms of a list as a `rooms` frame has them, in frames of limited size. */
import type { RoomEntry, ServerFrameV2 } from '../../../protocol/frames/v2.ts';
import { toEntry } from '../../rooms/shapes.ts';
import type { EntryRow } from '../../storage/store.ts';
import type { Lines } from './lines.ts';

/** A frame ends after about this much text: a description may have 2000 characters, and a list 500 rooms. */
const FRAME_CHARACTERS = 128 * 1024;
/** Rooms in one read for a further frame. */
export const ROOMS_A_READ = 100;

export type RoomsFrame = Extract<ServerFrameV2, { type: 'rooms' }>;

/** Entries as they are sent. */
export function toEntries(rows: readonly EntryRow[], lines: Lines): RoomEntry[] {
  return rows.map((row) => toSent(row, lines));
}

/** As many of the rows as fit into a frame, at least one if there is one, and the rooms of the others. */
export function firstOf(rows: readonly EntryRow[], lines: Lines): { rooms: RoomEntry[]; left: number[] } {
  const rooms: RoomEntry[] = [];
  let characters = 0;
  for (const row of rows) {
    const entry = toSent(row, lines);
    characters += JSON.stringify(entry).length;
    if (rooms.length > 0 && characters > FRAME_CHARACTERS) break;
    rooms.push(entry);
  }
  return { rooms, left: rows.slice(rooms.length).map(({ room }) => room.id) };
}

function toSent(row: EntryRow, { parts }: Lines): RoomEntry {
  return toEntry(row, parts.presence.online(row.room.id));
}
