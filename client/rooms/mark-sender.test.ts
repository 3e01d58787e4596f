import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import type { HeldMark } from './held-mark.ts';
import { MarkSender } from './mark-sender.ts';

function furnished() {
  const clock = new ManualClock(0);
  const line = { isOpen: true };
  const written: string[] = [];
  let marks: ReadonlyMap<number, HeldMark> = new Map();
  const sender = new MarkSender({
    clock,
    marks: () => marks,
    write: (frame) => {
      if (frame.type === 'read' && line.isOpen) written.push(`${frame.room_id}:${frame.seq}`);
      return line.isOpen;
    },
  });
  const mark = (room_id: number, seq: number) => {
    marks = new Map(marks).set(room_id, { room_id, seq, known: 0 });
    sender.changed(room_id);
  };
  return { clock, line, written, sender, mark };
}

describe('on a new connection', () => {
  test('marks that were made after its first frame are sent when it is open, the others are not repeated', () => {
    const { line, written, sender, mark } = furnished();
    line.isOpen = false;
    mark(1, 5);
    expect(sender.start()).toEqual([{ room_id: 1, seq: 5, known: 0 }]);
    mark(2, 7);
    line.isOpen = true;
    sender.connected();
    expect(written).toEqual(['2:7']);
  });
});

describe('the budget of the server', () => {
  test('20 marks a second: of 50 rooms that are marked at once, each is sent, and once', () => {
    const { clock, written, mark } = furnished();
    for (let roomId = 1; roomId <= 50; roomId++) mark(roomId, 1);
    expect(written).toHaveLength(20);
    clock.advance(1000);
    expect(written).toHaveLength(40);
    clock.advance(1000);
    expect(new Set(written).size).toBe(50);
    clock.advance(60_000);
    expect(written).toHaveLength(50);
  });

  test('a refused mark is sent again after the time that the server names, and not before', () => {
    const { clock, written, sender, mark } = furnished();
    mark(1, 5);
    sender.refused(1, 5000);
    mark(1, 6);
    clock.advance(4999);
    expect(written).toEqual(['1:5']);
    clock.advance(1);
    expect(written).toEqual(['1:5', '1:6']);
  });
});
