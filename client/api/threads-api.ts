/** Requests about threads. Not part of `ChatApi`, so that a page loads it when needed. */
import type { Message } from '../../protocol/events.ts';
import type { FollowedThreads, ThreadPage, ThreadPatch, ThreadsPage } from '../../protocol/rest/threads.ts';
import { checkedPaths } from './checked-paths.ts';
import { isFlag, isNatural, isText, listOf, nullable, optional, some } from './checks.ts';
import { queryString } from './http.ts';
import { readAll } from './read-all.ts';
import type { Requests } from './requests.ts';
import { isMessage } from './responses.ts';

/** Every method rejects with an `ApiError`. A change that is there already succeeds and changes nothing. */
export interface ThreadsApi {
  /** The roots of a room, that with the latest reply first. `beforeSeq`: `next_before_seq` of the page before. */
  list(
    roomId: number,
    query?: { limit?: number; beforeSeq?: number; resolved?: boolean },
  ): Promise<ThreadsPage>;
  /** The root and a page of replies; without a cursor, the latest. */
  page(
    roomId: number,
    threadId: number,
    query?: { limit?: number; beforeId?: number; afterId?: number },
  ): Promise<ThreadPage>;
  /** Returns the root. An empty title removes it. */
  change(roomId: number, threadId: number, patch: ThreadPatch): Promise<Message>;
  setFollowing(roomId: number, threadId: number, on: boolean): Promise<void>;
  /** The user has read the thread up to the reply with this seq. */
  read(roomId: number, threadId: number, seq: number): Promise<void>;
  /** The threads that the user follows, with their unread replies. */
  followed(): Promise<FollowedThreads['threads']>;
}

const isThreadsPage = some<ThreadsPage>({ threads: listOf(isMessage), next_before_seq: nullable(isNatural) });
const member = { following: isFlag, read_seq: isNatural };
const isThreadPage = some<ThreadPage>({
  root: isMessage,
  messages: listOf(isMessage),
  has_more: isFlag,
  has_more_after: isFlag,
  epoch: isText,
  seq: isNatural,
  me: some<ThreadPage['me']>(member),
  quoted: optional(listOf(isMessage)),
});
const areFollowed = some<FollowedThreads>({
  threads: listOf(some<FollowedThreads['threads'][0]>({ ...member, root: isMessage, unread: isNatural })),
});

/** `requests`: those of `ChatClient.api`. */
export function threadsApi(requests: Requests): ThreadsApi {
  const { ask, tell } = checkedPaths(requests);
  const path = (roomId: number, threadId: number) => `/rooms/${roomId}/threads/${threadId}` as const;
  return {
    list: (roomId, { limit, beforeSeq, resolved } = {}) => {
      const query = {
        limit,
        before_seq: beforeSeq,
        resolved: resolved === undefined ? undefined : `${resolved}`,
      };
      return ask('GET', `/rooms/${roomId}/threads${queryString(query)}`, isThreadsPage);
    },
    page: (roomId, threadId, { limit, beforeId, afterId } = {}) => {
      const query = queryString({ limit, before_id: beforeId, after_id: afterId });
      return ask('GET', `${path(roomId, threadId)}/messages${query}`, isThreadPage);
    },
    change: (roomId, threadId, patch) => ask('PATCH', path(roomId, threadId), isMessage, patch),
    setFollowing: (roomId, threadId, on) => tell(on ? 'PUT' : 'DELETE', `${path(roomId, threadId)}/follow`),
    read: (roomId, threadId, seq) => tell('PUT', `${path(roomId, threadId)}/read`, { seq }),
    followed: () =>
      readAll<FollowedThreads, FollowedThreads['threads'][0]>(
        (last) => {
          const time = last?.root.thread?.last_at ?? last?.root.created_at;
          const query = queryString({ before_id: last?.root.id, before_time: time });
          return ask('GET', `/me/threads${query}`, areFollowed);
        },
        ({ threads }) => threads,
      ),
  };
}
