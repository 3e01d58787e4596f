import { describe, expect, test } from 'vitest';
import { fakeBrowser, open } from './timeline-stage.ts';

fakeBrowser();

describe('messages that a jump has led to', () => {
  const jumped = () => open({ place: { seq: 50, top: 120 }, isDetached: true });

  test('the target stands where it is to stand', () => {
    expect(jumped().topOf(50)).toBe(120);
  });

  test('their last one is not the end of the room: the reader scrolls on for newer ones', () => {
    const timeline = jumped();
    timeline.scroll(100_000);
    expect(timeline.told.nearEnd).toBe(0);
    timeline.scroll(-10);
    timeline.controller.onHand();
    timeline.scroll(10);
    expect(timeline.told.nearEnd).toBe(1);
    expect(timeline.told.atEnd).toEqual([]);
  });

  test('once they have met the end of the room, the reader stays where they are, and then follows the end', () => {
    const timeline = jumped();
    timeline.scroll(100_000);
    const top = timeline.topOf(95);
    timeline.commit(1, 120, { isDetached: false });
    expect(timeline.topOf(95)).toBe(top);
    expect(timeline.told.atEnd).toEqual([]);
    timeline.scroll(100_000);
    expect(timeline.told.atEnd).toEqual([true]);
  });

  test('the way to the end leads to that of the room', () => {
    const timeline = jumped();
    timeline.controller.jump('end');
    timeline.press('End');
    expect(timeline.told.latest).toBe(2);
    expect(timeline.topOf(50)).toBe(120);
  });
});
