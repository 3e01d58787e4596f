import { useEffect } from 'react';
import { useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';

/** Marks the page while there is no connection: then nobody knows who is online (Avatar.module.css). */
export function useCutMark(): void {
  const isStale = useRooms(({ stale }) => stale);
  const line = useRoom(({ state }) => state?.connection.status);
  const isCut = isStale || line === 'waiting' || line === 'connecting';

  useEffect(() => {
    const { dataset } = document.documentElement;
    if (isCut) dataset.cut = '';
    return () => {
      delete dataset.cut;
    };
  }, [isCut]);
}
