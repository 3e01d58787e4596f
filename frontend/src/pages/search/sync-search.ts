/** Keeps what was found up to date while it is shown. */
import type { Room } from '../../../../client/index.ts';
import { onRoomsLost, useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { session } from './search-store.ts';

/** Returns the function that ends it. */
export function syncSearch(): () => void {
  let unhear = () => {};
  const hear = (room: Room | null) => {
    unhear();
    unhear = room === null ? () => {} : room.on('log', ({ states }) => session.changed(states));
  };
  hear(useRoom.getState().room);
  // What has changed while the search was closed.
  session.readAgain();
  const ends = [
    useRoom.subscribe(({ room }, before) => room !== before.room && hear(room)),
    // Of rooms that are not open, it is only known that something has happened.
    useOwnRooms.subscribe(({ rooms, isCurrent }, before) => {
      if (isCurrent && !before.isCurrent) session.backOnline();
      else if (rooms !== before.rooms) lookAt(rooms, before.rooms);
    }),
    onRoomsLost((lost) => session.lost(lost)),
    () => unhear(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

type Rooms = ReturnType<typeof useOwnRooms.getState>['rooms'];

/** Reads again what was found when a room of it, other than the one that is open, has moved on. */
function lookAt(rooms: Rooms, before: Rooms): void {
  const open = useRoom.getState().room?.id;
  const isNews = session.state.results.some(({ message: { room_id: id } }) => {
    return id !== open && rooms.get(id)?.seq !== before.get(id)?.seq;
  });
  if (isNews) session.readAgain();
}
