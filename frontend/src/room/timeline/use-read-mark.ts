import { useLayoutEffect } from 'react';
import { markRead } from '../../stores/own-rooms.ts';
import { whileSeen } from '../../ui/while-seen.ts';

/** Marks everything up to `seq` as read while it is in sight and the user is looking at the page. */
export function useReadMark(roomId: number, seq: number | null, inSight: boolean): void {
  // Before the paint: a message that is read as it arrives is never counted as unread.
  useLayoutEffect(() => {
    if (seq === null || !inSight) return;
    return whileSeen(() => markRead(roomId, seq));
  }, [roomId, seq, inSight]);
}
