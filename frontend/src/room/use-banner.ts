import { useEffect, useRef, useState } from 'react';
import { isLive, lastSeq, type RoomState } from '../../../client/index.ts';

export type Banner =
  | { readonly kind: 'none' }
  | { readonly kind: 'down' }
  | { readonly kind: 'recovered'; readonly missed: number };

/** A drop shorter than this is nobody's business. */
const QUIET_MS = 2000;
const RECOVERED_MS = 2000;

/** Nothing for 2 s, then that the line is down, then for 2 s what came back with it. */
export function useBanner(state: RoomState): Banner {
  const live = isLive(state);
  const [isDown, setDown] = useState(false);
  const [missed, setMissed] = useState<number | null>(null);
  const latest = useRef(state);
  const seqAtDrop = useRef(0);

  useEffect(() => {
    latest.current = state;
  });

  useEffect(() => {
    if (live) return;
    seqAtDrop.current = lastSeq(latest.current);
    const timer = setTimeout(() => setDown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [live]);

  useEffect(() => {
    if (!live || !isDown) return;
    setDown(false);
    setMissed(countSince(latest.current, seqAtDrop.current));
  }, [live, isDown]);

  useEffect(() => {
    if (missed === null) return;
    const timer = setTimeout(() => setMissed(null), RECOVERED_MS);
    return () => clearTimeout(timer);
  }, [missed]);

  if (isDown) return { kind: 'down' };
  return missed === null ? { kind: 'none' } : { kind: 'recovered', missed };
}

/** Other people's messages after `seq`; none were missed by who had seen none. */
function countSince(state: RoomState, seq: number): number {
  if (seq === 0) return 0;
  return state.messages.filter((message) => message.seq > seq && message.user_id !== state.me.id).length;
}
