/** Reads the news of several rooms at once, and writes it into the index in few transactions. */
import type { RoomWrite, SearchIndex } from '../../data/search/search-index.ts';
import type { RoomNews, Store } from '../../data/storage/store.ts';
import { LostCursor, type Progress } from '../consumers/work.ts';
import { entryOf } from './entry.ts';
import { inParts, sizeOf, TOGETHER_MAX } from './parts.ts';

const TEXTS = 200;

/** Where the consumer is in a room. */
export interface RoomPlace {
  roomId: number;
  at: number;
  stored: number;
}

/** A room whose news is to be written, and the functions that report the outcome. */
export interface Asked extends RoomPlace {
  resolve(progress: Progress): void;
  reject(error: unknown): void;
}

interface Parts {
  store: Pick<Store, 'roomNews'>;
  index: Pick<SearchIndex, 'writeAll'>;
}

/** A part of a room's news. */
interface Piece extends RoomWrite {
  room: Asked;
}

/** Reports the outcome of every room, and never rejects. */
export async function consumeTogether(rooms: readonly Asked[], { store, index }: Parts): Promise<void> {
  const pieces: Piece[] = [];
  const ends = new Map<Asked, Progress>();
  await Promise.all(
    rooms.map(async (room) => {
      const { roomId, at, stored } = room;
      try {
        const news = await store.roomNews({ roomId, after: at, limit: TEXTS, withPlain: true });
        if (!news || news.upTo === stored)
          return room.resolve({ at: news?.upTo ?? at, stored, head: news?.head ?? at });
        pieces.push(...piecesOf(room, news));
        ends.set(room, { at: news.upTo, stored: news.upTo, head: news.head });
      } catch (error) {
        room.reject(error);
      }
    }),
  );
  for (const some of together(pieces)) await write(index, some, ends);
  for (const [room, progress] of ends) room.resolve(progress);
}

function piecesOf(room: Asked, { texts, changes, upTo }: RoomNews): Piece[] {
  const { roomId, stored } = room;
  const parts = inParts([...texts, ...changes].map(entryOf));
  return parts.map((entries, number) => {
    // The cursor moves with the last ones. Before that, a kill makes them be written once more.
    const to = number === parts.length - 1 ? upTo : stored;
    return { room, move: { roomId, from: stored, to }, entries };
  });
}

/** In their order, in groups that take no longer than one part of one room. */
function together(pieces: readonly Piece[]): Piece[][] {
  let group: Piece[] = [];
  const groups = [group];
  let [count, size] = [0, 0];
  for (const piece of pieces) {
    const length = piece.entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
    const isFull =
      count + piece.entries.length > TOGETHER_MAX.entries || size + length > TOGETHER_MAX.characters;
    if (group.length > 0 && isFull) {
      group = [];
      groups.push(group);
      [count, size] = [0, 0];
    }
    group.push(piece);
    count += piece.entries.length;
    size += length;
  }
  return groups;
}

/** A room that fails, or whose cursor is elsewhere, leaves `ends`, and nothing more of it is written. */
async function write(
  index: Parts['index'],
  group: readonly Piece[],
  ends: Map<Asked, Progress>,
): Promise<void> {
  const pieces = group.filter(({ room }) => ends.has(room));
  if (pieces.length === 0) return;
  const end = (room: Asked, error: unknown) => {
    if (ends.delete(room)) room.reject(error);
  };
  try {
    const written = await index.writeAll(pieces.map(({ move, entries }) => ({ move, entries })));
    for (const [place, { room }] of pieces.entries()) if (!written[place]) end(room, new LostCursor());
  } catch (error) {
    if (pieces.length === 1) for (const { room } of pieces) end(room, error);
    // One of them may be at fault, and no other room waits for it.
    else for (const piece of pieces) await write(index, [piece], ends);
  }
}
