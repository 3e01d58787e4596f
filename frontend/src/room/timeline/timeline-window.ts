/**
 * Which of a room's messages are in the document: a bounded run of them that follows the reader. Pure.
 *
 * The ends are seqs, not indexes, because messages are added before and forgotten meanwhile. All lists ascend by seq.
 */
import { indexOfSeq, type Message } from '../../../../client/index.ts';

export interface TimelineWindow {
  /** The seq of its first message. */
  readonly firstSeq: number;
  /** The seq of its last message; null: it reaches to the end of the room, and grows with it. */
  readonly lastSeq: number | null;
}

/** The most messages in the document. */
export const MAX_MESSAGES = 240;
/** How many remain at the end when there are too many. */
const TAIL_MESSAGES = 120;
/** How many enter the document at once as the reader scrolls. */
const STEP_MESSAGES = 80;
/** How many stand before the target of a jump. */
const BEFORE_JUMP = 40;

/** Before anything is known. */
export const WHOLE: TimelineWindow = { firstSeq: 0, lastSeq: null };

/** Its range in `messages`: from `from` up to, not including, `to`. */
export function windowRange({ firstSeq, lastSeq }: TimelineWindow, messages: readonly Message[]) {
  const from = indexOfSeq(messages, firstSeq);
  const to = lastSeq === null ? messages.length : indexOfSeq(messages, lastSeq + 1);
  return { from, to: Math.max(from, to) };
}

export function windowAtEnd(messages: readonly Message[]): TimelineWindow {
  return between(messages, messages.length - TAIL_MESSAGES, messages.length);
}

export function windowAtStart(messages: readonly Message[]): TimelineWindow {
  return between(messages, 0, MAX_MESSAGES);
}

/** Around the first message with this seq or a higher one, with some before it. */
export function windowAround(messages: readonly Message[], seq: number): TimelineWindow {
  const from = indexOfSeq(messages, seq) - BEFORE_JUMP;
  return between(messages, from, Math.max(0, from) + MAX_MESSAGES);
}

/** A step back; the same window when nothing lies before it. */
export function olderWindow(window: TimelineWindow, messages: readonly Message[]): TimelineWindow {
  const { from, to } = windowRange(window, messages);
  if (from === 0) return window;
  const start = Math.max(0, from - STEP_MESSAGES);
  return between(messages, start, Math.min(to, start + MAX_MESSAGES));
}

/** A step on; the same window when it reaches to the end. */
export function newerWindow(window: TimelineWindow, messages: readonly Message[]): TimelineWindow {
  if (window.lastSeq === null) return window;
  const { from, to } = windowRange(window, messages);
  const end = Math.min(messages.length, to + STEP_MESSAGES);
  return between(messages, Math.max(from, end - MAX_MESSAGES), end);
}

/**
 * The window after `messages` have changed: within its bound, and not empty while there are messages. A reader who
 * follows the end loses the oldest messages from the document, a reader further up the newest.
 */
export function settledWindow(
  window: TimelineWindow,
  messages: readonly Message[],
  following: boolean,
): TimelineWindow {
  const oldest = messages[0];
  if (oldest === undefined) return WHOLE;
  const { from, to } = windowRange(window, messages);
  if (from === to) {
    // Its messages were forgotten, and the oldest that are held are the nearest. Or all messages were replaced.
    return window.lastSeq !== null && window.lastSeq < oldest.seq
      ? windowAtStart(messages)
      : windowAtEnd(messages);
  }
  if (to - from > MAX_MESSAGES) {
    return following ? windowAtEnd(messages) : between(messages, from, from + MAX_MESSAGES);
  }
  return window.firstSeq < oldest.seq ? between(messages, from, to) : window;
}

/**
 * The window after older messages were added before its first one: they are shown at once, unless the reader follows
 * the end and the end would leave the document.
 */
export function extendedWindow(
  window: TimelineWindow,
  messages: readonly Message[],
  following: boolean,
): TimelineWindow {
  const older = olderWindow(window, messages);
  return following && older.lastSeq !== null ? window : older;
}

function between(messages: readonly Message[], from: number, to: number): TimelineWindow {
  return {
    firstSeq: messages[Math.max(0, from)]?.seq ?? 0,
    lastSeq: to >= messages.length ? null : (messages[to - 1]?.seq ?? null),
  };
}
