import { useEffect, useMemo, useState } from 'react';
import type { RoomState } from '../../../../client/index.ts';

/** A server that answers within this time is waited for: one picture is calmer than two. */
const PATIENCE_MS = 100;

/**
 * What is to be seen of a room before its server has told what there is: what was last seen on this device, and what is
 * unsent. Null while there is nothing, or no need yet.
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
  // Once seen, it stays until it is known where the room opens.
  if (!isShown && !state.loaded && isThere && (isLate || isDown)) setShown(true);
  // What the server tells meanwhile is seen here, too, but not yet taken for read.
  const lastSeen = useMemo(() => ({ ...state, loaded: false }), [state]);
  return isShown ? lastSeen : null;
}
