/** Requests about single messages. Not part of `ChatApi`, so that a page loads it when needed. */
import type { RequestPath } from '../../protocol/endpoints.ts';
import type { Message } from '../../protocol/events.ts';
import type { PinsPage, ReactionsPage, RevisionsPage, SavedPage } from '../../protocol/rest/messages.ts';
import { checkedPaths } from './checked-paths.ts';
import { isFlag, isNatural, isText, listOf, some } from './checks.ts';
import { queryString } from './http.ts';
import { readAll } from './read-all.ts';
import type { Requests } from './requests.ts';
import { isMessage } from './responses.ts';

/** Every method rejects with an `ApiError`. A change that is there already succeeds and changes nothing. */
export interface MessagesApi {
  get(roomId: number, messageId: number): Promise<Message>;
  /** 409 `message changed` when the message has another revision than `baseRevision`. */
  edit(roomId: number, messageId: number, content: string, baseRevision: number): Promise<Message>;
  /** `keepalive`: the request outlives the page. */
  delete(roomId: number, messageId: number, options?: { keepalive?: boolean }): Promise<void>;
  /** The earlier texts, and the present one. */
  revisions(roomId: number, messageId: number): Promise<RevisionsPage['revisions']>;
  setReaction(roomId: number, messageId: number, emoji: string, on: boolean): Promise<void>;
  /** The people of each emoji, at most 200: the user first, if they are one of them. */
  reactions(roomId: number, messageId: number): Promise<ReactionsPage['reactions']>;
  setPin(roomId: number, messageId: number, on: boolean): Promise<void>;
  /** The author's, or a moderator's: the message gets none again. */
  removePreviews(roomId: number, messageId: number): Promise<void>;
  pins(roomId: number): Promise<Message[]>;
  /** Without `note`, the bookmark keeps the one that it has; an empty one removes it. */
  setSaved(roomId: number, messageId: number, on: boolean, note?: string): Promise<void>;
  /** The latest saved first. `before`: only those with a lower `user_seq`. */
  saved(query?: { limit?: number; before?: number }): Promise<SavedPage>;
}

const areRevisions = some<RevisionsPage>({
  revisions: listOf(some<RevisionsPage['revisions'][0]>({ revision: isNatural, content: isText })),
});
const areReactions = some<ReactionsPage>({
  reactions: listOf(some<ReactionsPage['reactions'][0]>({ emoji: isText, count: isNatural })),
});
const arePins = some<PinsPage>({ messages: listOf(isMessage) });
const isSavedPage = some<SavedPage>({
  saved: listOf(some<SavedPage['saved'][0]>({ message: isMessage, user_seq: isNatural })),
  has_more: isFlag,
});

/** `requests`: those of `ChatClient.api`. */
export function messagesApi(requests: Requests): MessagesApi {
  const { ask, tell } = checkedPaths(requests);
  const path = (roomId: number, messageId: number) => `/rooms/${roomId}/messages/${messageId}` as const;
  const set = (on: boolean, what: RequestPath<'PUT' | 'DELETE'>) => tell(on ? 'PUT' : 'DELETE', what);
  return {
    get: (roomId, messageId) => ask('GET', path(roomId, messageId), isMessage),
    edit: (roomId, messageId, content, base_revision) =>
      ask('PUT', path(roomId, messageId), isMessage, { content, base_revision }),
    delete: (roomId, messageId, options) => tell('DELETE', path(roomId, messageId), undefined, options),
    revisions: (roomId, messageId) =>
      readAll<RevisionsPage, RevisionsPage['revisions'][0]>(
        (last) => {
          const query = queryString({ from_revision: last && last.revision + 1 });
          return ask('GET', `${path(roomId, messageId)}/revisions${query}`, areRevisions);
        },
        ({ revisions }) => revisions,
      ),
    setReaction: (roomId, messageId, emoji, on) =>
      set(on, `${path(roomId, messageId)}/reactions/${encodeURIComponent(emoji)}`),
    reactions: async (roomId, messageId) =>
      (await ask('GET', `${path(roomId, messageId)}/reactions`, areReactions)).reactions,
    setPin: (roomId, messageId, on) => set(on, `${path(roomId, messageId)}/pin`),
    removePreviews: (roomId, messageId) => tell('DELETE', `${path(roomId, messageId)}/previews`),
    pins: (roomId) =>
      readAll<PinsPage, Message>(
        (last) => {
          const query = queryString({ before_id: last?.id, before_time: last?.pinned_at });
          return ask('GET', `/rooms/${roomId}/pins${query}`, arePins);
        },
        ({ messages }) => messages,
      ),
    setSaved: (roomId, messageId, on, note) =>
      tell(
        on ? 'PUT' : 'DELETE',
        `${path(roomId, messageId)}/saved`,
        on && note !== undefined ? { note } : undefined,
      ),
    saved: ({ limit, before } = {}) =>
      ask('GET', `/me/saved${queryString({ limit, before_user_seq: before })}`, isSavedPage),
  };
}
