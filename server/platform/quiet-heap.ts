/**
 * Collects what a wave of connections leaves behind, once the event loop has little to do. By itself V8 collects when
 * much is allocated. After the wave that is the case no more, so what it made would be kept for as long as it is quiet.
 */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { MessageChannel } from 'node:worker_threads';

const MIB = 1024 * 1024;
const LOOK_EVERY_MS = 1000;
/** The part of the time in which the event loop worked, and how often in a row it must be below it. */
const QUIET_BELOW = 0.35;
const QUIET_LOOKS = 2;
/** The heap has grown by so much since it was quiet the last time, and by a quarter. */
const WORTH_BYTES = 16 * MIB;
const WORTH_PART = 0.25;
/** The first collection frees pages that have become empty. The second one empties those that hold little. */
const ROUNDS = 2;
const LOOKS_A_ROUND = 3;
/** V8 begins to collect when buffers take 64 MiB more than after the collection before. */
const PRESSURE_BYTES = 80 * MIB;

/** What one look at the process says. */
export interface HeapLook {
  /** The part of the time since the look before in which the event loop worked. */
  utilization: number;
  /** Bytes that the heap has from the operating system, and those of buffers outside of it. */
  bytes: number;
}

/** What is to be done: nothing, a collection, or one that also moves objects together and gives back more. */
export type HeapTask = 'none' | 'collect' | 'compact';

/** Decides when a collection is to begin. */
export class QuietHeap {
  #quietLooks = 0;
  #floor: number;
  #roundsLeft = 0;
  #untilRound = 0;

  /** `bytes`: of the heap now. */
  constructor(bytes: number) {
    this.#floor = bytes;
  }

  /** Call it each second. Says what is to begin now. */
  look({ utilization, bytes }: HeapLook): HeapTask {
    this.#quietLooks = utilization < QUIET_BELOW ? this.#quietLooks + 1 : 0;
    if (this.#quietLooks < QUIET_LOOKS) return 'none';
    if (this.#roundsLeft > 0) return this.#goOn();
    this.#floor = Math.min(this.#floor, bytes);
    if (bytes - this.#floor < Math.max(WORTH_BYTES, this.#floor * WORTH_PART)) return 'none';
    this.#roundsLeft = ROUNDS;
    this.#untilRound = 0;
    return this.#goOn();
  }

  #goOn(): HeapTask {
    if (this.#untilRound-- > 0) return 'none';
    this.#untilRound = LOOKS_A_ROUND - 1;
    this.#roundsLeft--;
    // What is left after the last round is what is needed.
    this.#floor = Number.POSITIVE_INFINITY;
    return this.#roundsLeft === ROUNDS - 1 ? 'collect' : 'compact';
  }
}

/**
 * Lets V8 begin a collection of all objects, in steps of some milliseconds and partly in other threads. A whole
 * collection at once, which is all that Node has a call for, holds a heap of 60 MiB up for 200 ms.
 *
 * V8 begins it when buffers take much memory. So one is made that is never touched, for which the operating system
 * gives no memory, and is sent to a port that is closed, which frees it.
 */
export function beginCollection(task: 'collect' | 'compact'): void {
  // V8 decides at the beginning how much it will move.
  if (task === 'compact') setFlagsFromString('--optimize-for-size');
  const pressure = new ArrayBuffer(PRESSURE_BYTES);
  if (task === 'compact') setFlagsFromString('--no-optimize-for-size');
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, [pressure]);
  port2.close();
}

/** Watches this process. Returns a function that ends it. */
export function watchQuietHeap(): () => void {
  // Buffers of half of this make V8 collect at once, in one piece.
  if (getHeapStatistics().heap_size_limit < 4 * PRESSURE_BYTES) return () => {};
  const heap = new QuietHeap(heapBytes());
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const task = heap.look({ utilization, bytes: heapBytes() });
    if (task !== 'none') beginCollection(task);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function heapBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}
