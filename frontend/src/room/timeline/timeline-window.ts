/**
 * Which of a room's messages are in the document: a bounded run of them that follows the reader. Pure.
 *
 * The bounds are seqs, not indexes: messages are put before and forgotten while one reads. All lists ascend by seq.
 */
import { indexOfSeq, type Message } from '../../../../client/index.ts';

export interface TimelineWindow {
  /** The seq of its first message. */
  readonly firstSeq: number;
  /** The seq of its last message; null: it goes on to the end, whatever comes. */
  readonly lastSeq: number | null;
}

/** Messages in the document at most. */
export const MAX_MESSAGES = 240;
/** So many are left at the end when too many have come. */
const TAIL_MESSAGES = 120;
/** So many come into the document at once as one scrolls. */
const STEP_MESSAGES = 80;
/** So many stand before a message that one jumps to. */
const BEFORE_JUMP = 40;

/** Before anything is known. */
export const WHOLE: TimelineWindow = { firstSeq: 0, lastSeq: null };

/** Its place in `messages`: from `from` on, up to and without `to`. */
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

/** With the first message of this seq or a higher one, and some before it. */
export function windowAround(messages: readonly Message[], seq: number): TimelineWindow {
  const from = indexOfSeq(messages, seq) - BEFORE_JUMP;
  return between(messages, from, Math.max(0, from) + MAX_MESSAGES);
}

/** A step back; the same when nothing lies before it. */
export function olderWindow(window: TimelineWindow, messages: readonly Message[]): TimelineWindow {
  const { from, to } = windowRange(window, messages);
  if (from === 0) return window;
  const start = Math.max(0, from - STEP_MESSAGES);
  return between(messages, start, Math.min(to, start + MAX_MESSAGES));
}

/** A step on; the same when it goes to the end. */
export function newerWindow(window: TimelineWindow, messages: readonly Message[]): TimelineWindow {
  if (window.lastSeq === null) return window;
  const { from, to } = windowRange(window, messages);
  const end = Math.min(messages.length, to + STEP_MESSAGES);
  return between(messages, Math.max(from, end - MAX_MESSAGES), end);
}

/**
 * The window after `messages` have changed: still within its bound, and not empty while there are messages. Who follows
 * the end loses the oldest from the document, who reads further up the newest.
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
    // What it showed was forgotten: what came next is the nearest to it. Or it was replaced by something else.
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
 * The window after older messages were put before the one it began with: they are to be seen at once. Not where the end is
 * followed and would go out of the document by that.
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
