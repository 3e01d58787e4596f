import { useMemo, useState } from 'react';
import { endOf } from '../../stores/end-of.ts';
import { placeIn } from './reader-place.ts';
import type { TimelineViewProps } from './timeline-props.ts';
import { useTimelineController } from './use-timeline-controller.ts';
import { useTimelinePages } from './use-timeline-pages.ts';
import { useTimelineRows } from './use-timeline-rows.ts';
import { useTimelineWindow } from './use-timeline-window.ts';

/** The messages that a view has, the part of them that is in the document, and the controller that scrolls it. */
export function useTimelineContent(props: TimelineViewProps) {
  const { state, room, unread, readerAt, isBack, onReach, onLeave } = props;
  const { acked, jump } = state;
  const newAfterSeq = unread.status === 'divider' ? unread.afterSeq : null;
  const messages = useMemo(
    () => (acked.length === 0 ? state.messages : state.messages.concat(acked)),
    [state.messages, acked],
  );
  const isDetached = state.detached !== null;
  const [place] = useState(() => placeIn(state, readerAt.current));
  const opening = newAfterSeq === null || isBack ? 'end' : 'new';
  const { older, newer } = useTimelinePages(room, state, messages);
  const { window, range, setWindow, atEnd, setAtEnd } = useTimelineWindow(
    messages,
    opening === 'new' ? newAfterSeq : null,
    place,
  );
  const { controller, input, seenSeq } = useTimelineController({
    messages,
    window,
    newAfterSeq,
    place,
    opening,
    endSeq: endOf(room.state),
    isDetached,
    onPlace: (now) => {
      readerAt.current = now && { ...now, epoch: state.epoch, jumps: jump.count };
      if (now !== null && !isDetached) onReach(now.seq);
    },
    onWindow: setWindow,
    onAtEnd: setAtEnd,
    onNearStart: older.loadAhead,
    onNearEnd: newer.loadAhead,
    onLatest: () => room.toLatest(),
    onLeave,
  });
  const { activeKey } = input;
  const rows = useTimelineRows({ state, messages, window, range, newAfterSeq, activeKey });
  return { messages, older, newer, window, range, atEnd, controller, input, seenSeq, rows };
}
