/** Whom the user has blocked. The device keeps it, so that their messages are folded from the first moment. */
import { parseId } from '../../../protocol/text.ts';
import { chat } from './chat.ts';
import { localStore } from './device.ts';

function keyOf(userId: number): string {
  return `chat_blocked:${userId}`;
}

/** Uses what the device knows from an earlier visit. */
export function restoreBlocked(userId: number): void {
  const ids = (localStore.getItem(keyOf(userId)) ?? '').split(',').map(parseId);
  chat().rooms.setBlocked(new Set(ids.filter((id) => id !== null)));
}

export function keepBlocked(userId: number, ids: ReadonlySet<number>): void {
  chat().rooms.setBlocked(ids);
  if (ids.size === 0) localStore.removeItem(keyOf(userId));
  else localStore.setItem(keyOf(userId), [...ids].join());
}

/** The user has blocked somebody, or takes that back. */
export function setBlocked(personId: number, isBlocked: boolean): void {
  const { rooms, user } = chat();
  const ids = new Set(rooms.state.blocked);
  if (isBlocked) ids.add(personId);
  else ids.delete(personId);
  if (user !== null) keepBlocked(user.id, ids);
}
