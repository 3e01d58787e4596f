/** What the user may do with a file of a message that was sent. The server decides; this leaves out what it refuses. */
import { chat } from '../../stores/chat.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRooms } from '../../stores/rooms.ts';

export interface FileRights {
  readonly mayDescribe: boolean;
  readonly mayDelete: boolean;
}

/** The author describes a file; the author and moderators delete it. Null: the message is not sent. */
export function useFileRights(of: FileMessage | null): FileRights {
  const own = useOwnRooms(({ rooms }) => rooms.get(of?.room_id ?? 0));
  const known = useRooms(({ rooms }) => rooms.find(({ id }) => id === of?.room_id));
  if (of === null) return { mayDescribe: false, mayDelete: false };
  const room = own?.room ?? known;
  const isAuthor = of.user_id === chat().user?.id;
  const isModerator = room?.kind !== 'dm' && own !== undefined && own.me.role !== 'member';
  const isMuted = Date.parse(own?.me.silenced_until ?? '') > Date.now();
  return {
    mayDescribe: isAuthor && room?.archived !== true && !isMuted,
    mayDelete: isAuthor || isModerator,
  };
}
