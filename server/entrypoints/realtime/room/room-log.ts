/** A room's durable events, as its feed reads them. */
import type { MessageRow, Store } from '../../../data/storage/store.ts';

export interface RoomLog {
  readonly roomId: number;
  /** The events after `seq`, ascending; at most `limit`, and fewer when their text exceeds `maxBytes`. */
  after(query: { seq: number; limit: number; maxBytes?: number }): Promise<MessageRow[]>;
  /** The number of the last event. */
  head(): Promise<number>;
}

export function roomLogOf(store: Pick<Store, 'messagesAfter' | 'heads'>, roomId: number): RoomLog {
  return {
    roomId,
    after: (query) => store.messagesAfter({ roomId, ...query }),
    async head() {
      const { rooms } = await store.heads({ roomIds: [roomId], userIds: [] });
      return rooms[0]?.seq ?? 0;
    },
  };
}
