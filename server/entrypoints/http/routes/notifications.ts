/** The inbox, notification settings, and why a message did or did not notify the user. */
import { INBOX_PAGE } from '../../../../protocol/limits.ts';
import type { People } from '../../../features/identity/people.ts';
import type { Inbox } from '../../../features/notifications/inbox.ts';
import type { On } from '../endpoints.ts';

export interface NotificationRoutesParts {
  inbox: Inbox;
  people: People;
}

export function registerNotificationRoutes(on: On, { inbox, people }: NotificationRoutesParts): void {
  on('GET /api/v1/me/inbox', ({ userId, query: { limit = INBOX_PAGE.default, before_id: before } }) =>
    inbox.page({ userId, limit, before }),
  );

  on('PUT /api/v1/me/notifications', ({ userId, body }) =>
    people.changeMe(userId, { settings: { notifications: body } }),
  );

  on('GET /api/v1/rooms/:id/messages/:message_id/why', ({ userId, params }) =>
    inbox.why({ roomId: params.id, messageId: params.message_id, userId }),
  );
}
