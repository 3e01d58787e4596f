/** Requests about the inbox and notifications. Not part of `ChatApi`, so that a page loads it when needed. */
import type { NotificationSettings } from '../../protocol/notifications.ts';
import type { InboxPage, Why } from '../../protocol/rest/notifications.ts';
import type { Me } from '../../protocol/rest/people.ts';
import { checkedPaths } from './checked-paths.ts';
import { isFlag, isNatural, isText, listOf, nullable, oneOf, some } from './checks.ts';
import { queryString } from './http.ts';
import type { Requests } from './requests.ts';
import { isMessage } from './responses.ts';

/** Every method rejects with an `ApiError`. */
export interface NotificationsApi {
  /** The latest entries first. `beforeId`: only those of messages before this one. */
  inbox(query?: { limit?: number; beforeId?: number }): Promise<InboxPage>;
  /** Replaces all settings of the user's notifications. */
  setNotifications(settings: NotificationSettings): Promise<Me>;
  /** Why the user was notified of a message, or was not. 404 when they may not see it. */
  why(roomId: number, messageId: number): Promise<Why>;
}

const isReason = oneOf('dm', 'mention', 'reply', 'thread', 'room', 'all', 'invite');
const isInboxPage = some<InboxPage>({
  entries: listOf(some<InboxPage['entries'][0]>({ message: isMessage, reason: isReason, read: isFlag })),
  has_more: isFlag,
});
const isMe = some<Me>({ id: isNatural, username: isText });
const isWhy = some<Why>({
  reason: nullable(isReason),
  decision: oneOf('pushed', 'shown', 'waited', 'read_first', 'off'),
});

/** `requests`: those of `ChatClient.api`. */
export function notificationsApi(requests: Requests): NotificationsApi {
  const { ask } = checkedPaths(requests);
  return {
    inbox: ({ limit, beforeId } = {}) =>
      ask('GET', `/me/inbox${queryString({ limit, before_id: beforeId })}`, isInboxPage),
    setNotifications: (settings) => ask('PUT', '/me/notifications', isMe, settings),
    why: (roomId, messageId) => ask('GET', `/rooms/${roomId}/messages/${messageId}/why`, isWhy),
  };
}
