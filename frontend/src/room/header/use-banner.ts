import { useEffect, useRef, useState } from 'react';
import { isLive, type RoomState } from '../../../../client/index.ts';
import { othersSince } from '../../stores/others-since.ts';

export type Banner =
  | { readonly kind: 'none' }
  | { readonly kind: 'down' }
  | { readonly kind: 'recovered'; readonly missed: number };

/** A shorter drop is not shown. */
const QUIET_MS = 2000;
const RECOVERED_MS = 2000;

/** Nothing for 2 s, then that the connection is down, then for 2 s how many messages were missed. */
export function useBanner(state: RoomState): Banner {
  const live = isLive(state);
  const [isDown, setDown] = useState(false);
  const [missed, setMissed] = useState<number | null>(null);
  const latest = useRef(state);
  /** How far the device had the room when the connection dropped. */
  const atDrop = useRef<Pick<RoomState, 'epoch' | 'head'>>({ epoch: null, head: null });

  useEffect(() => {
    latest.current = state;
    // A page that opens without a server reads what the device kept a moment later.
    const { epoch, head, loaded } = state;
    if (!live && !loaded && atDrop.current.head === null) atDrop.current = { epoch, head };
  });

  useEffect(() => {
    if (live) return;
    const { epoch, head } = latest.current;
    atDrop.current = { epoch, head };
    const timer = setTimeout(() => setDown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [live]);

  useEffect(() => {
    if (!live || !isDown) return;
    setDown(false);
    setMissed(missedSince(latest.current, atDrop.current));
  }, [live, isDown]);

  useEffect(() => {
    if (missed === null) return;
    const timer = setTimeout(() => setMissed(null), RECOVERED_MS);
    return () => clearTimeout(timer);
  }, [missed]);

  if (isDown) return { kind: 'down' };
  return missed === null ? { kind: 'none' } : { kind: 'recovered', missed };
}

/**
 * Counts what others said since the drop. Without a known position there is nothing to count from, and in another epoch
 * of the database the same numbers mean other messages.
 */
function missedSince({ messages, epoch, me }: RoomState, before: Pick<RoomState, 'epoch' | 'head'>): number {
  return before.head === null || before.epoch !== epoch ? 0 : othersSince(messages, before.head, me.id);
}
