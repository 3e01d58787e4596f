/** Keeps the reader's place in the box that scrolls, and asks for what lies in the direction of the scroll. */

import { type Place, ReadingPosition } from './reading-position.ts';
import { showScrolling } from './show-scrolling.ts';
import type { TimelineInput } from './timeline-input.ts';
import {
  newerWindow,
  olderWindow,
  windowAround,
  windowAtEnd,
  windowAtStart,
  windowRange,
} from './timeline-window.ts';

/** A reader this close to the end follows it. */
const NEAR_END_PX = 100;
/** The window slides when less than this is left in the document. */
const EDGE_PX = 800;
/** Older messages load when less than this is left of what is loaded. */
const LOAD_PX = 1600;
/** How far below the top the "New" divider stands when a room opens: what was read last stays in sight. */
const NEW_DIVIDER_PX = 96;
/** What a page keeps in sight of the page before. */
const PAGE_OVERLAP_PX = 48;

/** Where a jump leads. */
export type ScrollTarget = 'start' | 'new' | 'end';

export interface ScrollStart {
  readonly opening: ScrollTarget;
  /** Where the reader was in the view before this one; null: the room has just been opened. */
  readonly place: Place | null;
}

/**
 * A reader at the end stays at the end. Anywhere else, the message in sight stays where it is, to the pixel, whatever
 * is added to or removed from the document.
 */
export class TimelineScroll {
  readonly #input: () => TimelineInput;
  readonly #place: Place | null;
  #box: HTMLElement | null = null;
  #position: ReadingPosition | null = null;
  #isFollowing: boolean;
  /** The present commit ends with a scroll to the end. */
  #isPulled = false;
  /** Reached with the next commit. */
  #target: ScrollTarget | null;
  /** `scrollTop` as this class saw it last. */
  #top = 0;
  #direction: 'up' | 'down' | null = null;
  /** The reader has scrolled, by wheel, finger, key or scroll bar. What the browser scrolls by itself loads nothing. */
  #isByHand = false;

  constructor({ opening, place }: ScrollStart, input: () => TimelineInput) {
    this.#input = input;
    this.#place = place;
    this.#isFollowing = opening === 'end' && place === null;
    this.#target = place === null ? opening : null;
  }

  /** Returns the function that lets go of the box. */
  attach(box: HTMLElement): () => void {
    this.#box = box;
    // The composer grew, the keyboard opened, the window turned, a font arrived, code was highlighted.
    const observer = new ResizeObserver(() => this.#resized(box));
    observer.observe(box);
    if (box.firstElementChild !== null) observer.observe(box.firstElementChild);
    return () => {
      observer.disconnect();
      this.#box = null;
    };
  }

  beforeCommit(): void {
    const box = this.#box;
    if (box === null) return;
    // A focus change scrolls at once, but its scroll event comes after the commit that it caused.
    this.#isPulled = this.#isFollowing && box.scrollTop === this.#top;
    this.#noteDirection(box);
    this.#settle();
    if (!this.#isPulled) this.#position?.record();
  }

  afterCommit(): void {
    const box = this.#box;
    if (box === null) return;
    this.#position ??= new ReadingPosition(box, this.#place);
    if (this.#target !== null) scrollTo(box, this.#target);
    else if (this.#isPulled && this.#input().window.lastSeq === null) box.scrollTop = box.scrollHeight;
    else this.#position.restore();
    this.#target = null;
    this.#measure(box);
    this.#fill(box);
  }

  onScroll(): void {
    const box = this.#box;
    if (box === null) return;
    const isOwn = box.scrollTop === this.#top;
    // The event of the last scroll to the end may come after something has grown, and before the `ResizeObserver`.
    if (this.#isFollowing && isOwn) return;
    if (!isOwn) showScrolling(box);
    this.#noteDirection(box);
    this.#settle();
    this.#measure(box);
    this.#fill(box);
  }

  /** The reader, not the browser, is scrolling. */
  byHand(): void {
    this.#isByHand = true;
  }

  /** The messages that load next are to be shown at once. */
  expectOlder(): void {
    this.#direction = 'up';
  }

  jump(to: ScrollTarget): void {
    const { messages, newAfterSeq, onWindow, redraw, isDetached, onLatest } = this.#input();
    if (to === 'end' && isDetached) return onLatest();
    this.#target = to;
    if (to === 'end') onWindow(windowAtEnd(messages));
    else if (to === 'start') onWindow(windowAtStart(messages));
    else if (newAfterSeq !== null) onWindow(windowAround(messages, newAfterSeq + 1));
    this.#direction = to === 'start' ? 'up' : null;
    this.#isByHand = to === 'start';
    redraw();
  }

  /** The first message in sight; null: there is none. */
  seqInSight(): number | null {
    this.#settle();
    this.#position?.record();
    return this.#position?.place?.seq ?? null;
  }

  /** Scrolls by a page, as the page keys do. */
  page(step: -1 | 1): void {
    const box = this.#box;
    if (box === null) return;
    this.#isByHand = true;
    showScrolling(box);
    box.scrollTop += step * Math.max(PAGE_OVERLAP_PX, box.clientHeight - PAGE_OVERLAP_PX);
    this.#direction = step === -1 ? 'up' : 'down';
    this.#settle();
    this.#measure(box);
    this.#fill(box);
  }

  /** Makes a change that the reader asked for, after which the element stands where it stood. */
  keep(still: Element, change: () => void): void {
    this.#settle();
    const { top } = still.getBoundingClientRect();
    change();
    const box = this.#box;
    if (box === null) return;
    box.scrollTop += still.getBoundingClientRect().top - top;
    this.#measure(box);
  }

  #measure(box: HTMLElement): void {
    const { window, messages, isDetached, onAtEnd, onSeen, onPlace } = this.#input();
    const atEnd = !isDetached && window.lastSeq === null && pixelsBelow(box) < NEAR_END_PX;
    if (atEnd !== this.#isFollowing) onAtEnd(atEnd);
    // A reader who leaves the end has seen all that was there.
    if (this.#isFollowing && !atEnd) onSeen(messages.at(-1)?.seq ?? 0);
    this.#isFollowing = atEnd;
    // At the end no place is needed, and finding one in every frame is expensive in a busy room.
    if (!atEnd) this.#position?.record();
    onPlace(atEnd ? null : (this.#position?.place ?? null));
    this.#top = box.scrollTop;
  }

  /** Has the window slide, or older messages load, in the direction of the scroll. */
  #fill(box: HTMLElement): void {
    const { window, messages, isDetached, onWindow, onNearStart, onNearEnd } = this.#input();
    if (this.#direction === 'up') {
      const isStart = windowRange(window, messages).from === 0;
      if (isStart && this.#isByHand && box.scrollTop < LOAD_PX) onNearStart();
      if (!isStart && box.scrollTop < EDGE_PX) onWindow(olderWindow(window, messages));
    }
    if (this.#direction !== 'down') return;
    if (window.lastSeq !== null && pixelsBelow(box) < EDGE_PX) onWindow(newerWindow(window, messages));
    if (window.lastSeq === null && isDetached && this.#isByHand && pixelsBelow(box) < LOAD_PX) onNearEnd();
  }

  /**
   * A part that loads late has changed its height outside a commit of the timeline, and the `ResizeObserver` has not
   * been called yet. At the end there is no place to keep.
   */
  #settle(): void {
    if (!this.#isFollowing) this.#position?.settle();
  }

  #noteDirection({ scrollTop }: HTMLElement): void {
    if (scrollTop !== this.#top) this.#direction = scrollTop < this.#top ? 'up' : 'down';
    this.#top = scrollTop;
  }

  #resized(box: HTMLElement): void {
    if (this.#isFollowing) box.scrollTop = box.scrollHeight;
    else this.#position?.restore();
    this.#position?.record();
    this.#top = box.scrollTop;
  }
}

function pixelsBelow({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

function scrollTo(box: HTMLElement, target: ScrollTarget): void {
  const divider = box.querySelector('[data-row=new]');
  if (target === 'start') box.scrollTop = 0;
  else if (target === 'end' || divider === null) box.scrollTop = box.scrollHeight;
  else
    box.scrollTop += divider.getBoundingClientRect().top - box.getBoundingClientRect().top - NEW_DIVIDER_PX;
}
