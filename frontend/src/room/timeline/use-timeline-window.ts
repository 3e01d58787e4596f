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

/** The part of the messages that is in the document, within its bound whatever comes. */
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
  // While drawing, as React has it for what follows from what is given: nobody sees the state in between.
  if (oldestSeq !== knownOldestSeq) setKnownOldestSeq(oldestSeq);
  if (window !== held) setWindow(window);
  return { window, range: windowRange(window, messages), setWindow, atEnd, setAtEnd };
}
