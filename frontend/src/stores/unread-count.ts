/**
 * Messages after the mark. Everybody may enter every room, so a room is somebody's only once they have opened it here:
 * until then it has no mark, and nothing in it is unread. `seq` may lag behind the mark: the list is fetched every 10 s.
 */
export function unreadCount(seq: number, mark: number | undefined): number {
  return mark === undefined ? 0 : Math.max(0, seq - mark);
}
