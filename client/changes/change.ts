/** Changes of messages that the server has not confirmed, and how a message looks with them. Pure functions. */
import type { Message } from '../../protocol/events.ts';
import { hasMore, withPerson } from '../room/reactions.ts';
import { placeOf } from '../room/stream.ts';

/** What a message shall be: each is a state, so it may be sent again and again. */
export type Wanted =
  /** `base`: the revision that the author has edited. */
  | { readonly kind: 'edit'; readonly content: string; readonly base: number }
  | { readonly kind: 'delete' }
  | { readonly kind: 'reaction'; readonly emoji: string; readonly on: boolean }
  | { readonly kind: 'pin'; readonly on: boolean }
  /** Without `note`, the bookmark keeps the one that it has. */
  | { readonly kind: 'saved'; readonly on: boolean; readonly note?: string };

/** A change that waits for the server. Of those with the same `key`, only the latest is kept. */
export interface Change {
  readonly key: string;
  readonly roomId: number;
  readonly messageId: number;
  readonly wanted: Wanted;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** It is not sent before this time, so that it can be taken back. */
  readonly dueAt: number;
  /** The database that the message is in; null while that is not known. */
  readonly epoch: string | null;
  /** What somebody else has made of the text that was edited. The author decides between the two. */
  readonly conflict: Message | null;
  /** The server has it. It is shown until the event that confirms it to all has come, for a moment at most. */
  readonly confirmed?: true;
  /** The number in the room's log from which on the message has the change; absent while that is not known. */
  readonly seq?: number;
}

export function changeKey(roomId: number, messageId: number, wanted: Wanted): string {
  const what = wanted.kind === 'reaction' ? `reaction:${wanted.emoji}` : wanted.kind;
  return `${roomId}:${messageId}:${what}`;
}

/** The message as it will be once the changes are confirmed. `me`: who makes them. */
export function withChanges(message: Message, changes: readonly Change[], me: number): Message {
  let shown = message;
  for (const change of changes) shown = withWanted(shown, change, me);
  return shown;
}

function withWanted(message: Message, change: Change, me: number): Message {
  const { wanted, conflict, confirmed, seq } = change;
  // The message has the change, and what others have done after it. Over a deletion nothing is shown.
  if (message.deleted_at !== undefined || (seq !== undefined && placeOf(message) >= seq)) return message;
  switch (wanted.kind) {
    case 'edit':
      return conflict === null ? { ...message, content: wanted.content } : message;
    case 'reaction': {
      const { reactions = [] } = message;
      // Only of those who are listed it is known whether the count has them: better late than twice.
      const isCounted = confirmed && reactions.some((one) => one.emoji === wanted.emoji && hasMore(one));
      return isCounted
        ? message
        : { ...message, reactions: withPerson(reactions, wanted.emoji, me, wanted.on) };
    }
    case 'pin': {
      const { pinned_at, ...rest } = message;
      return wanted.on ? { ...rest, pinned_at: pinned_at ?? message.created_at } : rest;
    }
    case 'delete':
    case 'saved':
      return message;
  }
}
