/** A timeline in a fake document, for the tests of its controller. */
import { afterEach, beforeEach, vi } from 'vitest';
import type { Message } from '../../../../client/index.ts';
import { range } from '../../../../client/testing/messages.ts';
import { FakeBox, type FakeRowOptions, fakeDocument } from './fake-box.ts';
import type { Place } from './reading-position.ts';
import { TimelineController } from './timeline-controller.ts';
import type { TimelineInput } from './timeline-input.ts';
import type { ScrollTarget } from './timeline-scroll.ts';
import { type TimelineWindow, WHOLE } from './timeline-window.ts';

/** Ten rows of 50 px are in sight. */
export const HEIGHT = 500;

/** Each test has a document and clocks of its own. */
export function fakeBrowser(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', fakeDocument);
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe(): void {}
        disconnect(): void {}
      },
    );
    fakeDocument.activeElement = null;
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly opening?: ScrollTarget;
  readonly place?: Place | null;
  readonly newAfterSeq?: number | null;
  readonly isDetached?: boolean;
}

/** A timeline that was opened with these messages, and what its controller has reported since. */
export function open(options: Options = {}) {
  const { from = 1, to = 100, opening = 'end', place = null } = options;
  const { newAfterSeq = null, isDetached = false } = options;
  const box = new FakeBox(HEIGHT);
  const told = {
    atEnd: [] as boolean[],
    seen: [] as number[],
    active: [] as (string | null)[],
    windows: [] as TimelineWindow[],
    nearStart: 0,
    nearEnd: 0,
    latest: 0,
    left: 0,
  };
  const input = {
    messages: range(from, to),
    window: WHOLE,
    newAfterSeq,
    activeKey: null,
    onPlace: () => {},
    onWindow: (window: TimelineWindow) => told.windows.push(window),
    onAtEnd: (atEnd: boolean) => told.atEnd.push(atEnd),
    onSeen: (seq: number) => told.seen.push(seq),
    onActive: (key: string | null) => told.active.push(key),
    isDetached,
    onNearStart: () => {
      told.nearStart += 1;
    },
    onNearEnd: () => {
      told.nearEnd += 1;
    },
    onLatest: () => {
      told.latest += 1;
    },
    onLeave: () => {
      told.left += 1;
    },
    redraw: () => {},
  } satisfies TimelineInput;
  const rows = (shown: readonly Message[]): FakeRowOptions[] =>
    shown.flatMap(({ seq }) => [
      ...(newAfterSeq === seq - 1 ? [{ seq, height: 20, kind: 'new' as const }] : []),
      { seq },
    ]);
  const controller = new TimelineController({ opening, place }, input);
  box.show(rows(input.messages));
  controller.afterCommit(input);
  controller.attach(box as unknown as HTMLElement);

  return {
    box,
    controller,
    told,
    /** A commit after which the document has these messages. */
    commit(first: number, last: number, change: Partial<TimelineInput> = {}) {
      const next: TimelineInput = { ...input, messages: range(first, last), ...change };
      controller.beforeCommit(next);
      box.show(rows(next.messages));
      controller.afterCommit(next);
    },
    scroll(by: number) {
      box.scrollTop += by;
      controller.onScroll();
    },
    press(key: string) {
      const held = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
      controller.onKeyDown({ ...held, key, preventDefault: () => {} });
    },
    topOf: (seq: number) => box.row(seq).getBoundingClientRect().top,
    distanceToEnd: () => box.scrollHeight - box.scrollTop - box.clientHeight,
  };
}
