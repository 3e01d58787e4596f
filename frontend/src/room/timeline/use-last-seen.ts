import { useEffect, useMemo, useState } from 'react';
import type { RoomState } from '../../../../client/index.ts';

/** Waits this long for the server first: one paint is calmer than two. */
const PATIENCE_MS = 100;

/**
 * What a room shows before the server has responded: the messages last seen on this device, and the unsent ones. Null
 * while there are none, or while it is too early to show them.
 */
export function useLastSeen(state: RoomState): RoomState | null {
  const [isLate, setLate] = useState(false);
  const [isShown, setShown] = useState(false);

  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);

  const { status } = state.connection;
  const isDown = status === 'waiting' || status === 'closed';
  const isThere = state.head !== null || state.pending.length > 0;
  // Once shown, it stays until it is known where the room opens.
  if (!isShown && !state.loaded && isThere && (isLate || isDown)) setShown(true);
  // Messages that arrive meanwhile are shown, too, but do not count as read yet.
  const lastSeen = useMemo(() => ({ ...state, loaded: false }), [state]);
  return isShown ? lastSeen : null;
}
