import { useReducer, useState } from 'react';
import type { Place } from './reading-position.ts';
import { TimelineController } from './timeline-controller.ts';
import type { TimelineInput } from './timeline-input.ts';
import type { ScrollTarget } from './timeline-scroll.ts';

type Options = Omit<TimelineInput, 'activeKey' | 'onSeen' | 'onActive' | 'redraw'> & {
  /** Where the reader was in the view before this one, or where a jump leads; null: to the opening. */
  readonly place: Place | null;
  readonly opening: ScrollTarget;
  /** The end of the room, as far as it is held. */
  readonly endSeq: number;
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
export function useTimelineController({ place, opening, endSeq, ...options }: Options): TimelineControl {
  const { newAfterSeq } = options;
  const [seenSeq, onSeen] = useState(newAfterSeq ?? endSeq);
  const [activeKey, onActive] = useState<string | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const input: TimelineInput = { ...options, activeKey, onSeen, onActive, redraw };
  const [controller] = useState(() => new TimelineController({ opening, place }, input));
  return { controller, input, seenSeq };
}
