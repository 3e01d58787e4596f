import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { Room, RoomState } from '../../../../client/index.ts';
import type { TimelineController } from './timeline-controller.ts';
import type { Unread } from './use-timeline-unread.ts';

interface TimelineJumpsOptions {
  readonly controller: TimelineController;
  readonly room: Room;
  readonly jump: RoomState['jump'];
  readonly unread: Unread;
  /** The reader has come to the message with this seq. */
  readonly onReach: (seq: number) => void;
}

/** Takes the reader to where a jump, an own message or the search for the first unread message leads. */
export function useTimelineJumps({ controller, room, jump, unread, onReach }: TimelineJumpsOptions): void {
  const showTarget = useEffectEvent(() => {
    if (jump.target !== null) controller.showTarget(jump.target.id);
  });
  useEffect(() => showTarget(), []);

  // The author wants to see their own message, wherever they have read until now.
  useEffect(() => room.on('sending', () => controller.jump('end')), [room, controller]);

  const isSought = unread.status === 'divider' && unread.isSought;
  const showDivider = useEffectEvent(() => controller.jumpToNew());
  // Before the hold of the search ends, so that nothing of what it found is forgotten in between.
  useLayoutEffect(() => {
    if (isSought) showDivider();
  }, [isSought]);

  // The first unread message is in sight already when it became known late and there are only a few.
  const showFar = useEffectEvent(() => {
    const seq = controller.seqInSight();
    if (seq !== null) onReach(seq);
  });
  const isFar = unread.status === 'far';
  useLayoutEffect(() => {
    if (isFar) showFar();
  }, [isFar]);
}
