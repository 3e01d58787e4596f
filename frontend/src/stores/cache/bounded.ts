/** How much of a room is kept. */
import { type RoomSnapshot, type RoomState, snapshotOf } from '../../../../client/index.ts';

const MAX_MESSAGES = 200;
const MAX_CHARACTERS = 200_000;

/** The end of a room, as it is kept on the device; null while there is nothing to keep. */
export function boundedSnapshot(state: RoomState): RoomSnapshot | null {
  return snapshotOf(state, fitting(state));
}

/** How many messages, from the newest back, fit within both bounds. */
function fitting({ messages }: RoomState): number {
  let characters = 0;
  for (let count = 0; count < MAX_MESSAGES; count++) {
    const message = messages.at(-1 - count);
    if (message === undefined) return Math.max(count, 1);
    characters += message.content.length;
    if (characters > MAX_CHARACTERS) return Math.max(count, 1);
  }
  return MAX_MESSAGES;
}
