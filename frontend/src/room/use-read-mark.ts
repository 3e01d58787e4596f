import { useEffect, useState } from 'react';
import { useReadMarks } from '../stores/read-marks.ts';

/** In a busy room it is noted no oftener: every note is told to the other tabs. */
const EVERY_MS = 500;

/** Notes that all up to `seq` was read, while that is in sight of somebody who looks. */
export function useReadMark(roomId: number, seq: number | null, inSight: boolean): void {
  const [notes] = useState(() => new ReadNotes(roomId));

  useEffect(() => {
    if (seq === null || !inSight) return;
    const look = () => {
      if (document.visibilityState === 'visible' && document.hasFocus()) notes.take(seq);
    };
    look();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, [notes, seq, inSight]);

  useEffect(() => {
    const flush = () => notes.flush();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [notes]);
}

/** The first is noted at once, those that follow it soon after together. */
class ReadNotes {
  readonly #roomId: number;
  #waiting: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(roomId: number) {
    this.#roomId = roomId;
  }

  take(seq: number): void {
    this.#waiting = seq;
    if (this.#timer === undefined) this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === null) return;
    useReadMarks.getState().markRead(this.#roomId, this.#waiting);
    this.#waiting = null;
    this.#timer = setTimeout(() => this.flush(), EVERY_MS);
  }
}
