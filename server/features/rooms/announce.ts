/** Rings the doorbells after a change of a room or of its members is durable. */
import { AppError } from '../../../protocol/errors.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { NotificationChange, RoomChange, RoomRow, UserChange } from '../../data/storage/store.ts';

/**
 * Announces what changed, and returns the room. `leftRoomId`: the change is that a user has left it. Throws `AppError`
 * for a change that was refused.
 */
export function announce(bus: Bus, change: RoomChange, leftRoomId?: number): RoomRow {
  if (change.outcome === 'unchanged') return change.room;
  if (change.outcome !== 'changed') throw new AppError(change.outcome);
  const { room, notices, changes } = change;
  for (const message of notices) bus.publish({ type: 'message', roomId: room.id, message });
  // A notice in the room's log closes what is open of the room, once it has been delivered.
  announceToUsers(bus, changes, notices.length === 0 ? leftRoomId : undefined);
  return room;
}

/** These users' logs have a new row. `leftRoomId`: they have left this room, without a notice in its log. */
export function announceToUsers(
  bus: Bus,
  changes: readonly (UserChange | NotificationChange)[],
  leftRoomId?: number,
): void {
  for (const change of changes) {
    const { userId, userSeq: seq } = change;
    const inbox = 'inbox' in change ? change.inbox : undefined;
    bus.publish({
      type: 'user_log',
      userId,
      seq,
      ...(inbox && { inbox }),
      ...(leftRoomId && { leftRoomId }),
    });
  }
}
