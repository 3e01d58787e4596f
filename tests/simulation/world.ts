/**
 * The world of one seed: its time, its randomness, and the queue of its events. One event runs at a time, and
 * everything that follows from it without waiting runs before the next event is picked.
 */
import { setImmediate as nextTurn } from 'node:timers';
import { type Random, seededRandom } from '../support/random.ts';

/** The owner of events: a server process, a page, the network. Events of a dead owner are dropped. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
  /** Paused until this time, as by SIGSTOP; its events wait. */
  pausedUntil: number;
  /** When the last setImmediate is due; later ones come after it. */
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

/** The time at which every world begins, in milliseconds since 1970. */
const BEGINNING = Date.UTC(2026, 0, 1);
/** More than any seed needs; a world that gets here is in an endless loop. */
const MAX_EVENTS = 200_000;

// The real `setImmediate`; code in the world gets a simulated one.
const turn = () => new Promise<void>((resolve) => nextTurn(resolve));

export class World {
  readonly random: Random;
  /** The violations, in the order in which they were found. The run ends with the first. */
  readonly violations: string[] = [];
  /** One line for each event and frame; null when no trace is kept. */
  readonly trace: string[] | null;
  /** A fingerprint of all events so far. */
  fingerprint = 0x811c9dc5;
  /** Called after each event and everything that it caused. */
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

  /** The server's wall clock. */
  get wallMs(): number {
    return Math.floor(BEGINNING + this.#elapsedMs + this.clockOffsetMs);
  }

  /** The devices' wall clock. */
  get deviceMs(): number {
    return BEGINNING + this.#elapsedMs;
  }

  /** The owner of the code that runs now. */
  get current(): Owner {
    return this.#current;
  }

  /** An owner that is never paused and never dies. */
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

  /** Runs until `isDone` returns true, a violation, or `withinMs` from now; returns whether it is done. */
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
      if (++this.events > MAX_EVENTS) this.violation(`no end after ${MAX_EVENTS} events`);
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
