import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../client/index.ts';
import { range } from '../../../../client/testing/messages.ts';
import {
  MAX_MESSAGES,
  newerWindow,
  olderWindow,
  settledWindow,
  type TimelineWindow,
  WHOLE,
  windowAround,
  windowAtEnd,
  windowAtStart,
  windowRange,
} from './timeline-window.ts';

const shown = (window: TimelineWindow, messages: Message[]) => {
  const { from, to } = windowRange(window, messages);
  return messages.slice(from, to).map((message) => message.seq);
};

describe('opening and jumping', () => {
  const messages = range(1, 1000);

  test('at the end it grows with the room', () => {
    const window = windowAtEnd(messages);
    expect(window.lastSeq).toBeNull();
    expect(shown(window, range(1, 1001)).at(-1)).toBe(1001);
  });

  test('at the beginning it does not reach the end', () => {
    expect(shown(windowAtStart(messages), messages).slice(0, 2)).toEqual([1, 2]);
    expect(windowAtStart(messages).lastSeq).toBe(MAX_MESSAGES);
  });

  test('around a message it has some before it', () => {
    const seqs = shown(windowAround(messages, 500), messages);
    expect(seqs[0]).toBeLessThan(480);
    expect(seqs).toContain(500);
    expect(windowAround(messages, 990).lastSeq).toBeNull();
  });

  test('a room with few messages is shown whole', () => {
    for (const open of [windowAtEnd, windowAtStart])
      expect(open(range(1, 5))).toEqual({ firstSeq: 1, lastSeq: null });
    expect(shown(WHOLE, range(1, 5))).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('sliding', () => {
  test('every message comes by, step by step, back and forth', () => {
    const messages = range(1, 5000);
    let window = windowAtEnd(messages);
    const seen = new Set(shown(window, messages));
    for (let next = olderWindow(window, messages); next !== window; next = olderWindow(window, messages)) {
      window = next;
      for (const seq of shown(window, messages)) seen.add(seq);
    }
    expect(seen.size).toBe(5000);
    seen.clear();
    for (let next = newerWindow(window, messages); next !== window; next = newerWindow(window, messages)) {
      window = next;
      for (const seq of shown(window, messages)) seen.add(seq);
    }
    expect(window.lastSeq).toBeNull();
    expect(seen.size).toBeGreaterThan(5000 - MAX_MESSAGES);
  });
});

test('a reader further up keeps their place and loses the newest; a reader at the end loses the oldest', () => {
  const before = range(1, 200);
  const after = range(1, 500);
  const window = settledWindow(WHOLE, before, true);
  expect(shown(settledWindow(window, after, false), after)[0]).toBe(1);
  const following = shown(settledWindow(window, after, true), after);
  expect(following.at(-1)).toBe(500);
  expect(following.length).toBeLessThan(MAX_MESSAGES);
});

test('when its messages were forgotten, it shows the oldest that are held', () => {
  const window = windowAtStart(range(1, 1000));
  const left = range(5000, 6000);
  expect(shown(settledWindow(window, left, false), left)[0]).toBe(5000);
});

const steps = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('say' as const), count: fc.nat(400) }),
    fc.record({ step: fc.constant('load' as const), count: fc.nat(200) }),
    fc.record({ step: fc.constant('forget' as const), count: fc.nat(600) }),
    fc.record({
      step: fc.constantFrom('older', 'newer', 'start', 'end', 'around', 'replace'),
      count: fc.nat(5000),
    }),
  ),
  { maxLength: 60 },
);

test('whatever is added, forgotten and scrolled: bounded, never empty, and nothing leaves it by itself', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (taken, following) => {
      let [oldest, newest] = [3000, 3050];
      let messages = range(oldest, newest);
      let window = settledWindow(WHOLE, messages, following);
      for (const { step, count } of taken) {
        const before = shown(window, messages);
        switch (step) {
          case 'say':
            newest += count;
            break;
          case 'load':
            oldest = Math.max(1, oldest - count);
            break;
          case 'forget':
            // As the room does: messages on hold stay.
            oldest = Math.max(oldest, Math.min(before[0] ?? oldest, newest - count));
            break;
          case 'replace':
            [oldest, newest] = [count + 1, count + 50];
            break;
          case 'older':
          case 'newer':
            window = (step === 'older' ? olderWindow : newerWindow)(window, messages);
            break;
          case 'start':
            window = windowAtStart(messages);
            break;
          case 'end':
            window = windowAtEnd(messages);
            break;
          case 'around':
            window = windowAround(messages, count);
            break;
        }
        messages = range(oldest, newest);
        window = settledWindow(window, messages, following);
        const after = shown(window, messages);
        expect(after.length).toBeLessThanOrEqual(MAX_MESSAGES);
        expect(after.length).toBeGreaterThan(0);
        expect(settledWindow(window, messages, following)).toBe(window);
        if (step === 'load' || step === 'forget') expect(after).toEqual(before);
        if (step === 'say' && !following) expect(after.slice(0, before.length)).toEqual(before);
        if (step === 'older') expect(before).toContain(after[Math.min(after.length - 1, 80)]);
      }
    }),
  );
});
