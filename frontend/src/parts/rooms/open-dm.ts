import { roomRequests } from '../../stores/requests.ts';
import { useRooms } from '../../stores/rooms.ts';
import { goToRoom } from '../../stores/route.ts';

/** Opens the direct conversation with these people; with nobody, the user's notes. `onFound`: before it is shown. */
export async function openDm(userIds: readonly number[], onFound?: () => void): Promise<void> {
  const room = await roomRequests().createDm(userIds);
  void useRooms.getState().refresh();
  onFound?.();
  goToRoom(room.id);
}
