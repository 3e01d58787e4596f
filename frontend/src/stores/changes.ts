/** Changes of messages that the server has not confirmed. `app/sync-changes.ts` writes them. */
import { create } from 'zustand';
import type { Change, Changes, Message } from '../../../client/index.ts';

/** The changes of one message, in the order in which they were made. */
export interface ChangesOf {
  readonly list: readonly Change[];
  /** The message as it will be with them. */
  apply(message: Message): Message;
}

interface ChangesStore {
  /** By the id of the message. */
  readonly byMessage: ReadonlyMap<number, ChangesOf>;
  /** Makes changes; null until its code has loaded. */
  readonly changes: Changes | null;
}

export const useChanges = create<ChangesStore>(() => ({ byMessage: new Map(), changes: null }));

const NONE: ChangesOf = { list: [], apply: (message) => message };

export function changesOf({ byMessage }: ChangesStore, messageId: number | undefined): ChangesOf {
  return byMessage.get(messageId ?? 0) ?? NONE;
}
