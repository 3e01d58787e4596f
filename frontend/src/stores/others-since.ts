import { indexOfSeq, type Message } from '../../../client/index.ts';

/**
 * How many messages other people have written after `seq`. Messages that are not held, as after a long time offline,
 * are counted by their numbers, and all as other people's: their authors are not known.
 */
export function othersSince(messages: readonly Message[], seq: number, me: number): number {
  const [oldest] = messages;
  let count = oldest === undefined ? 0 : Math.max(0, oldest.seq - seq - 1);
  for (let index = indexOfSeq(messages, seq + 1); index < messages.length; index++) {
    if (messages[index]?.user_id !== me) count += 1;
  }
  return count;
}
