/** With which emoji the user has reacted, where more people have than a message names. */
import { create } from 'zustand';
import { type Message, messagesApi, type Reactions } from '../../../client/index.ts';
import { chat } from './chat.ts';

interface OwnReactions {
  /** By the id of the message. An empty set was asked for, too. */
  readonly byMessage: ReadonlyMap<number, ReadonlySet<string>>;
}

/** More messages than a screen shows; the one that was asked for longest ago is forgotten first. */
const KNOWN = 500;

export const useOwnReactions = create<OwnReactions>(() => ({ byMessage: new Map() }));

export function isOwnReaction({ byMessage }: OwnReactions, messageId: number, reaction: Reactions): boolean {
  if (reaction.user_ids.includes(chat().user?.id ?? 0)) return true;
  return hasMore(reaction) && byMessage.get(messageId)?.has(reaction.emoji) === true;
}

/** The user has reacted, or has taken that back. */
export function rememberReaction(messageId: number, emoji: string, on: boolean): void {
  const emojis = new Set(useOwnReactions.getState().byMessage.get(messageId));
  if (on) emojis.add(emoji);
  else emojis.delete(emoji);
  set(messageId, emojis);
}

/** Asks the server, once for a message, where the message itself does not say it. Without a server it stays unknown. */
export function knowOwnReactions({ id, room_id, reactions = [] }: Message): void {
  const me = chat().user?.id ?? 0;
  const isUnknown = reactions.some((one) => hasMore(one) && !one.user_ids.includes(me));
  if (!isUnknown || useOwnReactions.getState().byMessage.has(id)) return;
  set(id, new Set());
  messagesApi(chat().api.requests)
    .reactions(room_id, id)
    .then(
      (all) => {
        for (const { emoji, people } of all)
          if (people.some(({ user_id }) => user_id === me)) rememberReaction(id, emoji, true);
      },
      () => forget(id),
    );
}

function hasMore({ count, user_ids }: Reactions): boolean {
  return count > user_ids.length;
}

function set(messageId: number, emojis: ReadonlySet<string>): void {
  useOwnReactions.setState(({ byMessage }) => {
    const kept = [...byMessage].filter(([id]) => id !== messageId).slice(-KNOWN + 1);
    return { byMessage: new Map([...kept, [messageId, emojis]]) };
  });
}

function forget(messageId: number): void {
  useOwnReactions.setState(({ byMessage }) => ({
    byMessage: new Map([...byMessage].filter(([id]) => id !== messageId)),
  }));
}
