import { indexOfSeq, type Message } from '../../../client/index.ts';

/** How many texts other people have written after `seq`, of the messages that are held. */
export function othersSince(messages: readonly Message[], seq: number, me: number): number {
  let count = 0;
  for (let index = indexOfSeq(messages, seq + 1); index < messages.length; index++) {
    const message = messages[index];
    if (message?.user_id !== me && message?.notice === undefined) count += 1;
  }
  return count;
}
