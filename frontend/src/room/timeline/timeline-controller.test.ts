import { describe, expect, test, vi } from 'vitest';
import { range } from '../../../../client/testing/messages.ts';
import { fakeDocument } from './fake-box.ts';
import type { TimelineInput } from './timeline-input.ts';
import { fakeBrowser, HEIGHT, open } from './timeline-stage.ts';
import { WHOLE } from './timeline-window.ts';

fakeBrowser();

describe('the scroll position', () => {
  test('a reader at the end stays there as messages come', () => {
    const timeline = open();
    expect(timeline.distanceToEnd()).toBe(0);
    timeline.commit(1, 105);
    expect(timeline.distanceToEnd()).toBe(0);
    expect(timeline.told.atEnd).toEqual([]);
  });

  test('a reader at the end stays there when the event of a scroll comes after something has grown', () => {
    const timeline = open();
    timeline.box.row(100).height += 300;
    timeline.controller.onScroll();
    timeline.commit(1, 101);
    expect(timeline.distanceToEnd()).toBe(0);
    expect(timeline.told.atEnd).toEqual([]);
  });

  test('elsewhere what is in sight stays where it is, to the pixel, as messages come and go', () => {
    const timeline = open();
    timeline.scroll(-1234);
    const top = timeline.topOf(70);
    timeline.commit(1, 130);
    expect(timeline.topOf(70)).toBe(top);
    timeline.commit(41, 130);
    expect(timeline.topOf(70)).toBe(top);
    timeline.commit(21, 130);
    expect(timeline.topOf(70)).toBe(top);
  });

  test.each<[string, number, (timeline: ReturnType<typeof open>) => void]>([
    ['a commit', 0, (timeline) => timeline.commit(1, 101)],
    ['a scroll', -300, (timeline) => timeline.scroll(-300)],
    ['a page key', -(HEIGHT - 48), (timeline) => timeline.controller.page(-1)],
    ['a look at what is in sight', 0, (timeline) => void timeline.controller.seqInSight()],
  ])('a text above that changed its height moves nothing when %s comes before the picture', (_, by, next) => {
    const timeline = open();
    timeline.scroll(-1234);
    const top = timeline.topOf(70);
    timeline.box.row(10).height += 19;
    next(timeline);
    expect(timeline.topOf(70)).toBe(top - by);
    timeline.box.row(11).height -= 30;
    timeline.commit(1, 102);
    expect(timeline.topOf(70)).toBe(top - by);
  });

  test('a reader who leaves the end has seen what was there, and is offered the way back', () => {
    const timeline = open();
    timeline.scroll(-300);
    expect(timeline.told.seen).toEqual([100]);
    expect(timeline.told.atEnd).toEqual([false]);
    timeline.scroll(300);
    expect(timeline.told.atEnd).toEqual([false, true]);
  });

  test('a room with unread messages opens at the divider above the first of them', () => {
    const timeline = open({ opening: 'new', newAfterSeq: 50 });
    expect(timeline.topOf(51)).toBe(96 + 20);
  });

  test('another view of the same room begins where its reader was', () => {
    const timeline = open({ place: { seq: 40, top: 123 } });
    timeline.commit(1, 100);
    expect(timeline.topOf(40)).toBe(123);
  });

  test('a jump to the end reaches it with the next commit', () => {
    const timeline = open();
    timeline.scroll(-2000);
    timeline.controller.jump('end');
    expect(timeline.told.windows.at(-1)?.lastSeq).toBeNull();
    timeline.commit(1, 100);
    expect(timeline.distanceToEnd()).toBe(0);
  });

  test('a change that the reader asked for moves nothing where they look', () => {
    const timeline = open();
    timeline.scroll(-1000);
    const still = timeline.box.row(75);
    const { top } = still.getBoundingClientRect();
    timeline.controller.keep(still as unknown as Element, () => {
      timeline.box.show(range(30, 100).map(({ seq }) => ({ seq })));
    });
    expect(still.getBoundingClientRect().top).toBe(top);
  });
});

describe('the day floats', () => {
  const isShown = ({ box }: ReturnType<typeof open>) => box.dataset.scrolling !== undefined;

  test('while the reader scrolls, and for a second after that', () => {
    const timeline = open();
    timeline.scroll(-300);
    expect(isShown(timeline)).toBe(true);
    vi.advanceTimersByTime(900);
    timeline.scroll(-300);
    vi.advanceTimersByTime(900);
    expect(isShown(timeline)).toBe(true);
    vi.advanceTimersByTime(100);
    expect(isShown(timeline)).toBe(false);
    timeline.controller.page(-1);
    expect(isShown(timeline)).toBe(true);
  });

  test('not where the client scrolls: as a room opens, as messages come, at a jump', () => {
    const timeline = open();
    timeline.controller.onScroll();
    timeline.commit(1, 101);
    timeline.controller.onScroll();
    timeline.controller.jump('start');
    timeline.commit(1, 101);
    timeline.controller.onScroll();
    timeline.commit(-20, 101);
    timeline.controller.onScroll();
    expect(isShown(timeline)).toBe(false);
  });
});

describe('older messages load', () => {
  test('when the reader scrolls near the oldest that is loaded', () => {
    const timeline = open();
    timeline.controller.onHand();
    timeline.scroll(-1000);
    expect(timeline.told.nearStart).toBe(0);
    timeline.scroll(-3000);
    expect(timeline.told.nearStart).toBe(1);
  });

  test('not when the browser scrolls by itself, as for the focus', () => {
    const timeline = open();
    timeline.scroll(-10_000);
    expect(timeline.told.nearStart).toBe(0);
  });

  test('when a page key finds nothing left to scroll', () => {
    const timeline = open({ to: 5 });
    timeline.controller.page(-1);
    expect(timeline.told.nearStart).toBe(1);
  });
});

describe('the focus', () => {
  test('arrows go from message to message, Escape leaves', () => {
    const timeline = open();
    timeline.box.row(100).focus();
    timeline.press('ArrowUp');
    expect(fakeDocument.activeElement).toBe(timeline.box.row(99));
    timeline.press('ArrowDown');
    expect(fakeDocument.activeElement).toBe(timeline.box.row(100));
    timeline.press('Escape');
    expect(timeline.told.left).toBe(1);
  });

  test('Home jumps to the start, and the first message has the focus once it is there', () => {
    const timeline = open({ from: 51 });
    timeline.box.row(100).focus();
    timeline.press('Home');
    expect(timeline.told.windows.at(-1)?.firstSeq).toBe(51);
    timeline.commit(1, 100);
    expect(fakeDocument.activeElement).toBe(timeline.box.row(1));
    expect(timeline.box.scrollTop).toBe(0);
  });

  test('it goes along to the first new message only when it is among the messages', () => {
    const composer = { isConnected: true, contains: () => false, closest: () => null };
    const timeline = open({ newAfterSeq: 50 });
    fakeDocument.activeElement = composer;
    timeline.controller.jumpToNew();
    timeline.commit(1, 100);
    expect(fakeDocument.activeElement).toBe(composer);
    timeline.box.row(100).focus();
    timeline.controller.jumpToNew();
    timeline.commit(1, 100);
    expect(fakeDocument.activeElement).toBe(timeline.box.row(51));
  });

  test('a button over the messages that disappears leaves it on the last message in sight', () => {
    const timeline = open();
    const button = { isConnected: true, contains: () => false, closest: () => null };
    fakeDocument.activeElement = button;
    timeline.controller.beforeCommit({ ...inputOf(timeline), messages: range(1, 100) });
    button.isConnected = false;
    timeline.controller.afterCommit({ ...inputOf(timeline), messages: range(1, 100) });
    expect(fakeDocument.activeElement).toBe(timeline.box.row(100));
  });

  test('a message that leaves the document leaves it on the box, so that arrows go on from what is in sight', () => {
    const timeline = open();
    timeline.scroll(-500);
    timeline.box.row(5).focus();
    timeline.commit(20, 100);
    expect(fakeDocument.activeElement).toBe(timeline.box);
    timeline.press('ArrowUp');
    const focused = fakeDocument.activeElement as { dataset: { seq: string } };
    const seq = Number(focused.dataset.seq);
    expect(timeline.topOf(seq)).toBeGreaterThanOrEqual(0);
    expect(timeline.topOf(seq)).toBeLessThan(HEIGHT);
  });

  test('the Tab stop is the message in sight that is nearest to the one that had the focus', () => {
    const timeline = open();
    timeline.commit(1, 100, { activeKey: 'm95' });
    timeline.scroll(-2500);
    vi.runAllTimers();
    const seq = Number(timeline.told.active.at(-1)?.slice(1));
    expect(timeline.topOf(seq)).toBeGreaterThanOrEqual(0);
    expect(timeline.topOf(seq)).toBeLessThan(HEIGHT);
    timeline.scroll(2500);
    timeline.commit(1, 100);
    vi.runAllTimers();
    expect(timeline.told.active.at(-1)).toBeNull();
  });
});

function inputOf({ told }: ReturnType<typeof open>): TimelineInput {
  return {
    messages: [],
    window: WHOLE,
    newAfterSeq: null,
    activeKey: null,
    onPlace: () => {},
    onWindow: (window) => told.windows.push(window),
    onAtEnd: () => {},
    onSeen: () => {},
    onActive: () => {},
    isDetached: false,
    onNearStart: () => {},
    onNearEnd: () => {},
    onLatest: () => {},
    onLeave: () => {},
    redraw: () => {},
  };
}
