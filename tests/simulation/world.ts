/**
 * A world of one seed: its time, its randomness, and the queue of all that is going to happen in it. One event runs at a
 * time, and everything that follows from it without waiting runs before the next one is picked.
 */
import { setImmediate as nextTurn } from 'node:timers';
import { type Random, seededRandom } from '../support/random.ts';

/** Somebody whom events happen to: a server process, a page, the network. What happens to the dead is dropped. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
  /** Stopped until then, as by SIGSTOP: its events wait. */
  pausedUntil: number;
  /** When the last setImmediate is due: they keep their order. */
  immediateAt: number;
}

export interface SimulatedEvent {
  readonly owner: Owner;
  readonly label: string;
  readonly run: () => void;
  at: number;
  readonly order: number;
  isCancelled: boolean;
}

/** Milliseconds since 1970: where every world begins. */
const BEGINNING = Date.UTC(2026, 0, 1);
/** More than any seed needs: whoever gets here goes round in circles. */
const MAX_EVENTS = 200_000;

// The real ones, as the world's inhabitants get simulated ones.
const turn = () => new Promise<void>((resolve) => nextTurn(resolve));

export class World {
  readonly random: Random;
  /** What was found wrong, first things first; the run ends with the first. */
  readonly violations: string[] = [];
  /** One line an event and a frame; null when nobody reads it. */
  readonly trace: string[] | null;
  /** A fingerprint of all events so far. */
  fingerprint = 0x811c9dc5;
  /** Called after each event, while what it caused is done. */
  afterEvent: (event: SimulatedEvent) => void = () => {};
  events = 0;
  /** The wall clock may jump; time itself does not. */
  clockOffsetMs = 0;
  readonly #beyond: Owner = newOwner('world');
  #elapsedMs = 0;
  #order = 0;
  #current: Owner = this.#beyond;
  readonly #queue: SimulatedEvent[] = [];

  constructor(seed: number, { tracing = false } = {}) {
    this.random = seededRandom(seed);
    this.trace = tracing ? [] : null;
  }

  /** Milliseconds since the world began. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** The time of day on the server. */
  get wallMs(): number {
    return Math.floor(BEGINNING + this.#elapsedMs + this.clockOffsetMs);
  }

  /** The time of day on devices. */
  get deviceMs(): number {
    return BEGINNING + this.#elapsedMs;
  }

  /** Whose code runs now. */
  get current(): Owner {
    return this.#current;
  }

  /** The one to whom nothing can happen. */
  get beyond(): Owner {
    return this.#beyond;
  }

  schedule(owner: Owner, label: string, delayMs: number, run: () => void): SimulatedEvent {
    return this.scheduleAt(owner, label, this.#elapsedMs + Math.max(0, delayMs), run);
  }

  scheduleAt(owner: Owner, label: string, at: number, run: () => void): SimulatedEvent {
    const event = { owner, label, run, at, order: this.#order++, isCancelled: false };
    push(this.#queue, event);
    return event;
  }

  /** A random number of milliseconds. */
  delay(minMs: number, maxMs: number): number {
    return minMs + this.random.next() * (maxMs - minMs);
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  violation(text: string): void {
    this.note(`VIOLATION ${text}`);
    this.violations.push(text);
  }

  note(text: string): void {
    this.trace?.push(`${this.#elapsedMs.toFixed(3).padStart(10)}  ${this.#current.name.padEnd(10)}  ${text}`);
  }

  /** Runs until `isDone`, a violation, or so many milliseconds from now; true when it is done. */
  async runUntil(isDone: () => boolean, withinMs: number): Promise<boolean> {
    const deadline = this.#elapsedMs + withinMs;
    while (this.violations.length === 0 && !isDone()) {
      const event = pop(this.#queue);
      if (event === undefined) return false;
      if (event.at > deadline) {
        push(this.#queue, event);
        this.#elapsedMs = deadline;
        return false;
      }
      if (event.isCancelled || !event.owner.isAlive) continue;
      if (event.owner.pausedUntil > event.at) {
        event.at = event.owner.pausedUntil;
        push(this.#queue, event);
        continue;
      }
      if (++this.events > MAX_EVENTS) this.violation('the world does not come to rest');
      await this.#happen(event);
    }
    return this.violations.length === 0;
  }

  async #happen(event: SimulatedEvent): Promise<void> {
    this.#elapsedMs = Math.max(this.#elapsedMs, event.at);
    this.#current = event.owner;
    this.#print(event);
    try {
      event.run();
    } catch (error) {
      this.violation(`${event.owner.name}: ${event.label} threw ${describeError(error)}`);
    }
    await turn();
    this.#current = this.#beyond;
    this.afterEvent(event);
  }

  #print({ owner, label }: SimulatedEvent): void {
    if (this.trace) this.note(label);
    const line = `${this.#elapsedMs} ${owner.name} ${label}`;
    for (let index = 0; index < line.length; index++) {
      this.fingerprint = Math.imul(this.fingerprint ^ line.charCodeAt(index), 0x01000193) >>> 0;
    }
  }
}

export function newOwner(name: string): Owner {
  return { name, isAlive: true, pausedUntil: 0, immediateAt: 0 };
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isBefore(a: SimulatedEvent, b: SimulatedEvent): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A binary heap. */
function push(heap: SimulatedEvent[], event: SimulatedEvent): void {
  let index = heap.push(event) - 1;
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(event, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = event;
}

function pop(heap: SimulatedEvent[]): SimulatedEvent | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let below = 2 * index + 1;
    let child = heap[below];
    if (child === undefined) break;
    const right = heap[below + 1];
    if (right !== undefined && isBefore(right, child)) {
      child = right;
      below++;
    }
    if (isBefore(last, child)) break;
    heap[index] = child;
    index = below;
  }
  heap[index] = last;
  return first;
}
