import { useReducer, useState } from 'react';
import type { Place } from './reading-position.ts';
import { TimelineController } from './timeline-controller.ts';
import type { TimelineInput } from './timeline-input.ts';

type Options = Omit<TimelineInput, 'activeKey' | 'onSeen' | 'onActive' | 'redraw'> & {
  /** Where the reader was in the view before this one; null: the room has just been opened. */
  readonly place: Place | null;
};

interface TimelineControl {
  /** The same one for as long as the view is there. */
  readonly controller: TimelineController;
  /** For `TimelineCommits`. */
  readonly input: TimelineInput;
  /** The newest seq that was there when the reader was last at the end. */
  readonly seenSeq: number;
}

/** The controller of one timeline view, and the state that it keeps in React. */
export function useTimelineController({ place, ...options }: Options): TimelineControl {
  const { messages, newAfterSeq } = options;
  const [seenSeq, onSeen] = useState(newAfterSeq ?? messages.at(-1)?.seq ?? 0);
  const [activeKey, onActive] = useState<string | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const input: TimelineInput = { ...options, activeKey, onSeen, onActive, redraw };
  const [controller] = useState(
    () => new TimelineController({ opening: newAfterSeq === null ? 'end' : 'new', place }, input),
  );
  return { controller, input, seenSeq };
}
