import { useEffect, useRef, useState } from 'react';
import { isLive, type RoomState } from '../../../../client/index.ts';
import { othersSince } from '../../stores/others-since.ts';

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
  const atDrop = useRef<Pick<RoomState, 'epoch' | 'head'>>({ epoch: null, head: null });

  useEffect(() => {
    latest.current = state;
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

/** None were missed by who had seen none; in another life of the database the numbers mean other messages. */
function missedSince({ messages, epoch, me }: RoomState, before: Pick<RoomState, 'epoch' | 'head'>): number {
  return before.head === null || before.epoch !== epoch ? 0 : othersSince(messages, before.head, me.id);
}
