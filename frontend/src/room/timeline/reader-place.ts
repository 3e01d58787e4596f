import type { Message } from '../../../../client/index.ts';
import type { Place } from './reading-position.ts';

/** Where a reader is, in one epoch of the database. */
export interface ReaderPlace extends Place {
  readonly epoch: string | null;
}

/** The place, if the message there is still held. */
export function placeIn(
  messages: readonly Message[],
  epoch: string | null,
  place: ReaderPlace | null,
): Place | null {
  const [oldest] = messages;
  if (place === null || oldest === undefined) return null;
  return place.epoch === epoch && place.seq >= oldest.seq ? place : null;
}
