import { useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import type { Place } from './reading-position.ts';
import {
  extendedWindow,
  settledWindow,
  type TimelineWindow,
  windowAround,
  windowAtEnd,
  windowRange,
} from './timeline-window.ts';

/** The part of the messages that is in the document. It stays within its bound. */
export function useTimelineWindow(
  messages: readonly Message[],
  newAfterSeq: number | null,
  place: Place | null,
) {
  const firstSeq = place?.seq ?? (newAfterSeq === null ? null : newAfterSeq + 1);

  const [atEnd, setAtEnd] = useState(firstSeq === null);
  const [held, setWindow] = useState<TimelineWindow>(() =>
    firstSeq === null ? windowAtEnd(messages) : windowAround(messages, firstSeq),
  );
  const oldestSeq = messages[0]?.seq ?? 0;
  const [knownOldestSeq, setKnownOldestSeq] = useState(oldestSeq);

  const hasMoreBefore = oldestSeq < knownOldestSeq && held.firstSeq === knownOldestSeq;
  const extended = hasMoreBefore ? extendedWindow(held, messages, atEnd) : held;
  const window = settledWindow(extended, messages, atEnd);
  // Set during rendering, as React recommends for state that follows from props: no state in between is painted.
  if (oldestSeq !== knownOldestSeq) setKnownOldestSeq(oldestSeq);
  if (window !== held) setWindow(window);
  return { window, range: windowRange(window, messages), setWindow, atEnd, setAtEnd };
}
