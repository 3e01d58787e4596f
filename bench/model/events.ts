/** A discrete-event simulation: things that happen at a time, in the order of their times. Times are microseconds. */

interface Event {
  at: number;
  /** Events of the same time happen in the order in which they were planned. */
  order: number;
  run(): void;
}

export class Events {
  now = 0;
  readonly #heap: Event[] = [];
  #order = 0;

  after(delay: number, run: () => void): void {
    const event = { at: this.now + delay, order: this.#order++, run };
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || isBefore(parent, event)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  /** Runs until this time. */
  runUntil(end: number): void {
    for (let next = this.#heap[0]; next && next.at <= end; next = this.#heap[0]) {
      this.#removeFirst();
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const child = right && left && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
      const below = heap[child];
      if (!below || isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
