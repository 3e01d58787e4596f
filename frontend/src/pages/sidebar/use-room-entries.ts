import { useMemo, useRef } from 'react';
import type { ListedRoom, RoomInfo } from '../../../../client/index.ts';
import { chat } from '../../stores/chat.ts';
import { useDrafts } from '../../stores/drafts.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { usePeople } from '../../stores/people.ts';
import { useRooms } from '../../stores/rooms.ts';
import { useUnread } from '../../stores/unread.ts';
import type { LastMessage, RoomEntry } from './room-entry.ts';

/** What an entry was made from. */
interface Made {
  readonly entry: RoomEntry;
  readonly room: RoomInfo;
  readonly own: ListedRoom | undefined;
  readonly blocked: ReadonlySet<number>;
}

/** The rooms as the list shows them. An entry that did not change is the same object, so its row renders nothing. */
export function useRoomEntries(openId: number | null): readonly RoomEntry[] {
  const rooms = useRooms((store) => store.rooms);
  const owned = useOwnRooms((store) => store.rooms);
  const isCurrent = useOwnRooms((store) => store.isCurrent);
  const blocked = useOwnRooms((store) => store.blocked);
  const onlineIds = usePeople((store) => store.online);
  const drafts = useDrafts((store) => store.roomIds);
  // The open room's own state is ahead of the list.
  const openUnread = useUnread(openId);
  const known = useRef<ReadonlyMap<number, Made>>(new Map());
  return useMemo(() => {
    const me = chat().user?.id ?? null;
    const made = rooms.map((room): Made => {
      const own = owned.get(room.id);
      const unread = room.id === openId ? openUnread : (own?.unread ?? 0);
      const hasDraft = drafts.has(room.id);
      const before = known.current.get(room.id);
      const made = toEntry(room, own, me, blocked);
      const online = made.person !== null && onlineIds.has(made.person.id);
      // Until the server has said whose the rooms are, the list says what it last knew.
      const isOwn = own !== undefined || (!isCurrent && room.me_role !== undefined);
      const entry = { ...made, isOwn, online, unread, hasDraft };
      const isSame =
        before?.room === room &&
        before.own === own &&
        before.entry.isOwn === isOwn &&
        before.blocked === blocked;
      const isEqual = before?.entry.unread === unread && before.entry.hasDraft === hasDraft;
      return isSame && isEqual && before.entry.online === online ? before : { entry, room, own, blocked };
    });
    known.current = new Map(made.map((one) => [one.room.id, one]));
    return made.map(({ entry }) => entry);
  }, [rooms, owned, isCurrent, blocked, onlineIds, drafts, openId, openUnread]);
}

function toEntry(
  { id, name, kind, emoji, hue = null, people = [] }: RoomInfo,
  own: ListedRoom | undefined,
  me: number | null,
  blocked: ReadonlySet<number>,
): Omit<RoomEntry, 'isOwn' | 'online' | 'unread' | 'hasDraft'> {
  const [person, ...others] = people;
  const isBetweenTwo = kind === 'dm' && others.length === 0 && person !== undefined;
  return {
    id,
    kind,
    name,
    emoji,
    hue,
    person: isBetweenTwo ? { id: person.user_id, username: person.username } : null,
    people:
      kind === 'dm' && !isBetweenTwo
        ? people.map(({ user_id, username }) => ({ id: user_id, username }))
        : null,
    mentions: own?.mentions ?? 0,
    isMuted: own !== undefined && isMuted(own),
    starred: own?.me.starred ?? false,
    last: own?.last && !blocked.has(own.last.user_id) ? lastMessage(own.last, me) : null,
  };
}

function isMuted({ me: { notify, notify_muted_until: until } }: ListedRoom): boolean {
  return notify === 'none' || (until !== null && Date.parse(until) > Date.now());
}

function lastMessage(last: NonNullable<ListedRoom['last']>, me: number | null): LastMessage {
  return {
    at: Date.parse(last.created_at),
    author: last.user_id === me ? null : last.username,
    excerpt: last.excerpt,
    files: last.files ?? 0,
  };
}
