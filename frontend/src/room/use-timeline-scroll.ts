import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Who is this close to the end reads along. */
const NEAR_END_PX = 100;

interface TimelineContent {
  /** The seq of the first and of the last message shown; 0 when there is none. */
  readonly oldestSeq: number;
  readonly newestSeq: number;
  /** Grows when the member sends something: that always shows the end. */
  readonly sent: number;
}

interface TimelineScroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The newest seq that was there when the reader was last at the end. */
  readonly seenSeq: number;
  readonly atEnd: boolean;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/** Keeps the reader where they are: at the end when they are there, else at the same message to the pixel. */
export function useTimelineScroll({ oldestSeq, newestSeq, sent }: TimelineContent): TimelineScroll {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  /** From the top of what is seen to the end of everything: what is put before does not change it. */
  const toBottom = useRef(0);
  const shown = useRef({ oldestSeq, sent });
  const [atEnd, setAtEnd] = useState(true);
  const [seenSeq, setSeenSeq] = useState(newestSeq);

  const measure = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    toBottom.current = element.scrollHeight - element.scrollTop;
    pinned.current = toBottom.current - element.clientHeight < NEAR_END_PX;
    setAtEnd(pinned.current);
  }, []);

  const toEnd = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    measure();
  }, [measure]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (pinned.current || sent > shown.current.sent) toEnd();
    else if (oldestSeq < shown.current.oldestSeq) {
      element.scrollTop = element.scrollHeight - toBottom.current;
      measure();
    } else measure();
    shown.current = { oldestSeq, sent };
    if (pinned.current) setSeenSeq(newestSeq);
  }, [oldestSeq, newestSeq, sent, toEnd, measure]);

  useEffect(() => {
    // The composer grew, the keyboard came, the window turned: who was at the end stays there.
    const observer = new ResizeObserver(() => {
      if (pinned.current) toEnd();
      else measure();
    });
    if (box.current !== null) observer.observe(box.current);
    if (content.current !== null) observer.observe(content.current);
    return () => observer.disconnect();
  }, [toEnd, measure]);

  const onScroll = useCallback(() => {
    measure();
    if (pinned.current) setSeenSeq(newestSeq);
  }, [measure, newestSeq]);

  return { box, content, seenSeq, atEnd, onScroll, toEnd };
}
