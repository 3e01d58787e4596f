/** What a user sees of their notifications: the inbox, and why a message did or did not notify them. */
import { AppError } from '../../../protocol/errors.ts';
import { type InboxPage, type Why, whyDetail } from '../../../protocol/rest/notifications.ts';
import type { NotifyRow, Store } from '../../data/storage/store.ts';
import { type Json, listJson } from '../../platform/written-list.ts';
import type { MessageOf } from '../messages/changes.ts';
import { withMessage } from '../messages/page.ts';
import { permit } from '../rooms/permit.ts';
import { decide, hasRead, type Occasion, occasionOf, type Person } from './decide.ts';
import { NOTIFIER } from './notifier.ts';
import { RoomPeople } from './people.ts';

export interface InboxOptions {
  store: Store;
  isOnline(userId: number): boolean;
  /** Unix milliseconds. */
  now?: () => number;
}

export class Inbox {
  readonly #options: Required<InboxOptions>;

  constructor(options: InboxOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /** The latest first; `before`: a message. Nothing of rooms that the user may not see any more. */
  async page(query: {
    userId: number;
    limit: number;
    before?: number | undefined;
  }): Promise<Json<InboxPage>> {
    const { store, now } = this.#options;
    const { entries, hasMore } = await store.inbox({ ...query, now: now() });
    const writing = withMessage<(typeof entries)[number]>(({ reason, createdAt, isRead }) => ({
      reason,
      created_at: new Date(createdAt).toISOString(),
      read: isRead,
    }));
    return await listJson<InboxPage, (typeof entries)[number]>('entries', entries, writing, hasMore);
  }

  /** Throws `room_not_found` and `message_not_found`. */
  async why({ roomId, messageId, userId }: MessageOf): Promise<Why> {
    const { store, now, isOnline } = this.#options;
    const { room } = await permit(store, 'read', { roomId, userId }, now());
    const message = await store.message({ roomId, messageId });
    if (!message) throw new AppError('message_not_found');
    const noted = await store.notice({ userId, messageId });
    if (noted) return toWhy(noted);
    const people = new RoomPeople({ store, isOnline }, roomId, [message.userId]);
    await people.load([userId]);
    const row = people.row(userId);
    if (!row) throw new AppError('invalid_token');
    const occasion = occasionOf(message, room.kind);
    if (occasion.threadId !== null) await people.loadThread(occasion.threadId, [userId]);
    return await this.#derive(occasion, people.person(row, occasion.threadId));
  }

  /** There is no row: nothing was due, or the notifier has not come to it, or it is long ago. */
  async #derive(occasion: Occasion, person: Person): Promise<Why> {
    const { store, now } = this.#options;
    const { message } = occasion;
    const { reason, off } = decide(occasion, person, now());
    if (reason === null || off !== null) return { reason, decision: 'off', detail: off };
    const place = await store.consumerPlace({ name: NOTIFIER, roomId: message.roomId });
    if (place && place.at < message.seq) return { reason, decision: 'waited', detail: null };
    if (hasRead(occasion, person)) return { reason, decision: 'read_first', detail: null };
    return { reason, decision: 'shown', detail: reason === 'all' ? 'coalesced' : 'forgotten' };
  }
}

function toWhy({ reason, decision, detail }: NotifyRow): Why {
  return { reason, decision, detail: detail === null ? null : whyDetail.parse(detail) };
}
