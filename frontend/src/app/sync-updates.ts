import { checkForFirstUpdate, checkForUpdate } from '../parts/updates/service-worker.ts';
import { useRoom } from '../stores/room.ts';

/** A server that was away may have come back as a newer one. Returns the function that ends that. */
export function syncUpdates(): () => void {
  return useRoom.subscribe(({ room, state }, before) => {
    const isSameRoom = room === before.room;
    const hasOpened = state?.connection.status === 'open' && before.state?.connection.status !== 'open';
    if (!isSameRoom || !hasOpened) return;
    if (state.connections > 1) checkForUpdate();
    else checkForFirstUpdate();
  });
}
