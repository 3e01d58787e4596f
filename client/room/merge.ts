/** Runs of messages that ascend by seq. Pure functions. */
import type { Message } from '../../protocol/events.ts';
import { indexOfSeq } from './room-state.ts';
import { placeOf } from './stream.ts';

/** The held messages with these: the later state of each prevails, and one before `from` is not put in. */
export function merged(
  held: readonly Message[],
  fresh: readonly Message[],
  from: number,
): readonly Message[] {
  let last = held.at(-1)?.seq ?? 0;
  const follows = fresh.every(({ seq }) => {
    const isNext = seq > last;
    last = seq;
    return isNext;
  });
  // This copies all messages for each new one, and `concat` is faster than a spread.
  if (follows) return fresh.length === 0 ? held : held.concat(fresh.filter(({ seq }) => seq >= from));
  const messages = [...held];
  for (const message of fresh) {
    const index = indexOfSeq(messages, message.seq);
    const there = messages[index];
    if (there?.seq !== message.seq) {
      if (message.seq >= from) messages.splice(index, 0, message);
    } else if (placeOf(message) > placeOf(there) || knowsMore(message, there)) messages[index] = message;
  }
  return messages;
}

/** Of its files an own message has at first what the device knows. */
function knowsMore(message: Message, there: Message): boolean {
  return message.files !== undefined && placeOf(message) === placeOf(there);
}
