import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { Message } from '../../../../client/index.ts';
import { type Place, ReadingPosition } from './reading-position.ts';
import {
  newerWindow,
  olderWindow,
  type TimelineWindow,
  windowAround,
  windowAtEnd,
  windowAtStart,
  windowRange,
} from './timeline-window.ts';

/** Who is this close to the end reads along. */
const NEAR_END_PX = 100;
/** With less than this left in the document, more comes into it. */
const EDGE_PX = 800;
/** With less than this left of all that is loaded, more is loaded. */
const LOAD_PX = 1600;
/** The "New" line stands so far below the top when a room opens: what was read last is still seen. */
const NEW_LINE_PX = 96;

/** Where one jumps to. */
export type ScrollTarget = 'start' | 'new' | 'end';

interface TimelineScrollOptions {
  /** All that is loaded, ascending by seq. */
  readonly messages: readonly Message[];
  readonly window: TimelineWindow;
  readonly newAfterSeq: number | null;
  /** Where the room opens. */
  readonly opening: ScrollTarget;
  /** Where its reader was before, to stay there. */
  readonly place: Place | null;
  /** Tells where the reader is; null: at the end. */
  readonly onPlace: (place: Place | null) => void;
  readonly onWindow: (window: TimelineWindow) => void;
  readonly onAtEnd: (atEnd: boolean) => void;
  /** The reader scrolls near the oldest message that is loaded. */
  readonly onNearStart: () => void;
}

interface TimelineScroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The newest seq that was there when the reader was last at the end. */
  readonly seenSeq: number;
  readonly onScroll: () => void;
  /** The reader, not the browser, scrolls: by wheel, finger, key or scroll bar. */
  readonly onHand: () => void;
  /** What is loaded next is to be seen. */
  readonly expectOlder: () => void;
  readonly jump: (target: ScrollTarget) => void;
  /** Makes a change at the reader's wish, after which the element stands where it stood. */
  readonly keep: (element: Element, change: () => void) => void;
  /** To be called around every change of the document. */
  readonly beforeCommit: () => void;
  readonly afterCommit: () => void;
}

/**
 * Keeps the reader where they are: at the end when they are there, else at the same message to the pixel, whatever comes
 * into the document and goes from it. And has it come: the window slides, and older messages load, as one scrolls.
 */
export function useTimelineScroll(options: TimelineScrollOptions): TimelineScroll {
  const { messages, window, newAfterSeq, opening, place, onPlace, onWindow, onAtEnd, onNearStart } = options;
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const position = useRef<ReadingPosition | null>(null);
  const isFollowing = useRef(opening === 'end' && place === null);
  /** Whether the change of the document that is under way ends at the end. */
  const isPulled = useRef(false);
  /** Set until it is reached, with the next change of the document. */
  const target = useRef<ScrollTarget | null>(place === null ? opening : null);
  const scrolled = useRef<{ top: number; way: 'up' | 'down' | null; byHand: boolean }>({
    top: 0,
    way: null,
    byHand: false,
  });
  const newestSeq = messages.at(-1)?.seq ?? 0;
  const [seenSeq, setSeenSeq] = useState(newAfterSeq ?? newestSeq);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  function measure(element: HTMLElement): void {
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    const atEnd = window.lastSeq === null && below < NEAR_END_PX;
    if (atEnd !== isFollowing.current) onAtEnd(atEnd);
    // Whoever goes from the end has seen all that was there.
    if (isFollowing.current && !atEnd) setSeenSeq(newestSeq);
    isFollowing.current = atEnd;
    // Who follows the end needs no other place: in a busy room it would be looked for with every picture.
    if (!atEnd) position.current?.record();
    onPlace(atEnd ? null : (position.current?.place ?? null));
    scrolled.current.top = element.scrollTop;
  }

  /** Has come what lies in the direction in which one scrolls. */
  function fill(element: HTMLElement): void {
    const { way, byHand } = scrolled.current;
    if (way === 'up') {
      const isStart = windowRange(window, messages).from === 0;
      if (isStart && byHand && element.scrollTop < LOAD_PX) onNearStart();
      if (!isStart && element.scrollTop < EDGE_PX) onWindow(olderWindow(window, messages));
    }
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (way === 'down' && below < EDGE_PX && window.lastSeq !== null) onWindow(newerWindow(window, messages));
  }

  function onScroll(): void {
    const element = box.current;
    if (element === null) return;
    noteWay(element);
    measure(element);
    fill(element);
  }

  function noteWay({ scrollTop }: HTMLElement): void {
    const { top } = scrolled.current;
    if (scrollTop !== top) scrolled.current.way = scrollTop < top ? 'up' : 'down';
    scrolled.current.top = scrollTop;
  }

  function beforeCommit(): void {
    // The focus scrolls at once, and its event comes later than what is drawn because of it.
    const element = box.current;
    if (element === null) return;
    isPulled.current = isFollowing.current && element.scrollTop === scrolled.current.top;
    noteWay(element);
    if (!isPulled.current) position.current?.record();
  }

  function jump(to: ScrollTarget): void {
    target.current = to;
    if (to === 'end') onWindow(windowAtEnd(messages));
    else if (to === 'start') onWindow(windowAtStart(messages));
    else if (newAfterSeq !== null) onWindow(windowAround(messages, newAfterSeq + 1));
    scrolled.current.way = to === 'start' ? 'up' : null;
    scrolled.current.byHand = to === 'start';
    redraw();
  }

  function keep(still: Element, change: () => void): void {
    const { top } = still.getBoundingClientRect();
    change();
    const element = box.current;
    if (element === null) return;
    element.scrollTop += still.getBoundingClientRect().top - top;
    measure(element);
  }

  function afterCommit(): void {
    const element = box.current;
    if (element === null) return;
    position.current ??= new ReadingPosition(element, place);
    if (target.current !== null) goTo(element, target.current);
    else if (isPulled.current && window.lastSeq === null) element.scrollTop = element.scrollHeight;
    else position.current.restore();
    target.current = null;
    measure(element);
    fill(element);
  }

  // What is told of the first change of the document is told before there is a box.
  const open = useEffectEvent(afterCommit);
  useLayoutEffect(() => open(), []);

  useEffect(() => {
    // The composer grew, the keyboard came, the window turned, a font arrived, code was highlighted.
    const observer = new ResizeObserver(() => {
      const element = box.current;
      if (element === null) return;
      if (isFollowing.current) element.scrollTop = element.scrollHeight;
      else position.current?.restore();
      position.current?.record();
      scrolled.current.top = element.scrollTop;
    });
    if (box.current !== null) observer.observe(box.current);
    if (content.current !== null) observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  return {
    box,
    content,
    seenSeq,
    onScroll,
    onHand: () => {
      scrolled.current.byHand = true;
    },
    expectOlder: () => {
      scrolled.current.way = 'up';
    },
    jump,
    keep,
    beforeCommit,
    afterCommit,
  };
}

function goTo(box: HTMLElement, target: ScrollTarget): void {
  const line = box.querySelector('[data-row=new]');
  if (target === 'start') box.scrollTop = 0;
  else if (target === 'end' || line === null) box.scrollTop = box.scrollHeight;
  else box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - NEW_LINE_PX;
}
