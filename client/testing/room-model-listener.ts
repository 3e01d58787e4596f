/** Somebody who listens to a room: each message comes once, from the first `opened` on, and so does every reset. */
import { expect } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import type { RoomFrame } from '../room/room-frame.ts';
import { hear, type Stream } from '../room/stream.ts';

export class ModelListener {
  /** The messages that must still come, and their database; null before the first `opened`. */
  #next: { epoch: string; due: Set<number> } | null = null;
  #told: Stream | null = null;

  posted({ seq }: Message): void {
    this.#next?.due.add(seq);
  }

  /** `log`: what the server has stored. */
  hear(frame: RoomFrame, log: readonly Message[]): void {
    const { stream, messages, isReset } = hear(this.#told, frame);
    this.#told = stream;
    const before = this.#next;
    // What was posted since the server opened the room is still to come.
    const due = (after: number) => new Set(log.flatMap(({ seq }) => (seq > after ? [seq] : [])));
    if (frame.type === 'opened' && (isReset || before?.epoch !== frame.epoch))
      this.#next = { epoch: frame.epoch, due: due(frame.seq) };
    if (frame.type === 'reset') this.#next = { epoch: frame.epoch, due: due(frame.seq) };
    if (before === null) expect(isReset, 'the beginning is no reset').toBe(false);
    else if (before.epoch !== this.#next?.epoch) expect(isReset, 'another database is a reset').toBe(true);
    for (const { seq } of messages) {
      const isDue = this.#next?.due.delete(seq);
      // A message that was posted, received and then lost with its database is of an earlier connection.
      expect(isDue, `${seq} is reported once`).toBe(true);
    }
  }

  checkEnd(): void {
    expect([...(this.#next?.due ?? [])], 'all that was said was told').toEqual([]);
  }
}
