/** Live changes that bring a part of a message instead of the whole: a reaction, or the thread at its root. */
import type { Message } from '../../protocol/events.ts';
import type { Frame } from '../connection/frames.ts';
import { reacted } from './reactions.ts';
import { placeOf } from './stream.ts';

export type Delta = Frame<'reaction' | 'thread'>;

/** The messages after these deltas, which ascend by `changed_seq`. A message in a later state stays as it is. */
export function withDeltas(messages: readonly Message[], deltas: readonly Delta[]): readonly Message[] {
  let changed: Message[] | null = null;
  for (const delta of deltas) {
    const list: readonly Message[] = changed ?? messages;
    const index = list.findLastIndex(({ id }) => id === delta.id);
    const message = list[index];
    if (message === undefined || placeOf(message) >= delta.changed_seq) continue;
    changed ??= [...messages];
    changed[index] = changedBy(message, delta);
  }
  return changed ?? messages;
}

function changedBy(message: Message, delta: Delta): Message {
  if (delta.type === 'reaction') return reacted(message, delta);
  return { ...message, thread: delta.thread, changed_seq: delta.changed_seq };
}
