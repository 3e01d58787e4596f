import { useLayoutEffect } from 'react';
import { useReadMarks } from '../../stores/read-marks.ts';

/** Notes that all up to `seq` was read, while that is in sight of somebody who looks. */
export function useReadMark(roomId: number, seq: number | null, inSight: boolean): void {
  // Before the picture: what is read as it comes is never counted as unread.
  useLayoutEffect(() => {
    if (seq === null || !inSight) return;
    const look = () => {
      const isSeen = document.visibilityState === 'visible' && document.hasFocus();
      if (isSeen) useReadMarks.getState().markRead(roomId, seq);
    };
    look();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, [roomId, seq, inSight]);
}
