import { useState } from 'react';
import type { Message } from '../../../client/index.ts';
import {
  extendedWindow,
  settledWindow,
  type TimelineWindow,
  windowAround,
  windowAtEnd,
  windowRange,
} from './timeline-window.ts';

/** The part of the messages that is in the document, within its bound whatever comes. */
export function useTimelineWindow(messages: readonly Message[], newAfterSeq: number | null) {
  const [atEnd, setAtEnd] = useState(newAfterSeq === null);
  const [held, setWindow] = useState<TimelineWindow>(() =>
    newAfterSeq === null ? windowAtEnd(messages) : windowAround(messages, newAfterSeq + 1),
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
