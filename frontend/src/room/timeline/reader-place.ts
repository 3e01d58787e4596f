import type { RoomState } from '../../../../client/index.ts';
import type { Place } from './reading-position.ts';

/** Where a reader is, in one epoch of the database, after this many jumps. */
export interface ReaderPlace extends Place {
  readonly epoch: string | null;
  readonly jumps: number;
}

/** How far below the top the target of a jump stands: what was said before it is in sight. */
const TARGET_PX = 120;

/** Where the last jump leads, or else the place, if the message there is still held; null: to the opening. */
export function placeIn(
  { messages, epoch, jump }: Pick<RoomState, 'messages' | 'epoch' | 'jump'>,
  place: ReaderPlace | null,
): Place | null {
  if (place?.jumps !== jump.count) return jump.target && { seq: jump.target.seq, top: TARGET_PX };
  const [oldest] = messages;
  if (oldest === undefined) return null;
  return place.epoch === epoch && place.seq >= oldest.seq ? place : null;
}
