/**
 * Whether the process has more to do than it can. Two marks tell: how late the event loop runs a timer, and how much
 * memory JavaScript uses. Beyond a mark new sockets, writing requests, and a share of the frames that write are refused
 * (lifecycle.ts). The share rises until the event loop is in time, so that the process works at its full rate meanwhile.
 */
import { getHeapStatistics } from 'node:v8';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './log.ts';

export const SAMPLE_EVERY_MS = 100;
/** The median of these is compared, so that one long turn, such as that of a garbage collection, is no overload. */
const SAMPLES = 5;
/** The share falls below these parts of the marks, so that it does not go up and down with each sample. */
const DELAY_END = 0.5;
const MEMORY_END = 0.9;
/** The part of V8's heap limit, at which the process would end, that is the mark unless a setting says otherwise. */
const DEFAULT_MEMORY_SHARE = 0.85;
/** How much the share rises in a second at the mark; at twice the mark it rises twice as fast, and so on. */
const RISE_PER_S = 0.1;
const STEEPEST_RISE = 5;
/** How fast it falls: to a third in this time. Below the least share there is no overload. */
const FALL_MS = 1000;
const LEAST_SHARE = 0.01;
const MIB = 1024 * 1024;

export interface OverloadOptions {
  /** Milliseconds; 0: no mark. */
  delayMark: number;
  /** Bytes; 0: no mark. */
  memoryMark: number;
  /** Monotonic milliseconds. */
  now: () => number;
  /** Bytes that are in use. */
  memory: () => number;
  /** The share of frames to refuse is another one. */
  onShare(share: number, median: { delayMs: number; memory: number }): void;
}

export class Overload {
  readonly #options: OverloadOptions;
  readonly #delays = new LastSamples();
  readonly #memory = new LastSamples();
  #sampledAt: number;
  #share = 0;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#sampledAt = options.now();
  }

  /** Takes a sample. Call it from a timer that is due `SAMPLE_EVERY_MS` after the last call. */
  sample(): void {
    const { now, memory, memoryMark, onShare } = this.#options;
    const at = now();
    const elapsedMs = at - this.#sampledAt;
    const delayMs = this.#delays.add(Math.max(0, elapsedMs - SAMPLE_EVERY_MS));
    const used = this.#memory.add(memory());
    this.#sampledAt = at;
    const share = this.#next(
      elapsedMs,
      delayMs,
      isBeyond(used, memoryMark, this.#share > 0 ? MEMORY_END : 1),
    );
    if (share === this.#share) return;
    this.#share = share;
    onShare(share, { delayMs, memory: used });
  }

  #next(elapsedMs: number, delayMs: number, isMemoryShort: boolean): number {
    const { delayMark } = this.#options;
    // Memory is short until it is freed: doing less is all that helps.
    if (isMemoryShort) return 1;
    if (isBeyond(delayMs, delayMark, 1)) {
      const steepness = Math.min(STEEPEST_RISE, delayMs / delayMark);
      return Math.min(1, this.#share + (elapsedMs / 1000) * RISE_PER_S * steepness);
    }
    if (isBeyond(delayMs, delayMark, DELAY_END)) return this.#share;
    const share = this.#share * Math.exp(-elapsedMs / FALL_MS);
    return share < LEAST_SHARE ? 0 : share;
  }
}

function isBeyond(value: number, mark: number, part: number): boolean {
  return mark > 0 && value > mark * part;
}

/** The last few samples of one number. */
class LastSamples {
  readonly #samples: number[] = [];

  /** Returns the median with this sample; 0 while there are too few. */
  add(sample: number): number {
    this.#samples.push(sample);
    if (this.#samples.length < SAMPLES) return 0;
    if (this.#samples.length > SAMPLES) this.#samples.shift();
    return [...this.#samples].sort((a, b) => a - b)[(SAMPLES - 1) / 2] ?? 0;
  }
}

export interface OverloadMarks {
  /** Milliseconds; 0: no mark. */
  delayMs: number;
  /** MiB; 0: no mark; undefined: a share of V8's heap limit. */
  memoryMiB: number | undefined;
}

/** Watches this process, and keeps `lifecycle.refusedShare`. Returns a function that ends it. */
export function watchOverload(
  { delayMs: delayMark, memoryMiB }: OverloadMarks,
  lifecycle: Lifecycle,
  log: Logger,
): () => void {
  const memoryMark =
    memoryMiB === undefined ? getHeapStatistics().heap_size_limit * DEFAULT_MEMORY_SHARE : memoryMiB * MIB;
  let since = 0;
  const now = () => performance.now();
  const overload = new Overload({
    ...{ delayMark, memoryMark, now, memory: usedMemory },
    onShare(share, { delayMs, memory }) {
      const [wasOverloaded, isOverloaded] = [lifecycle.isOverloaded, share > 0];
      lifecycle.refusedShare = share;
      if (wasOverloaded === isOverloaded) return;
      const figures = { delayMs: Math.round(delayMs), memoryMiB: Math.round(memory / MIB) };
      if (isOverloaded) {
        since = now();
        const marks = { delayMarkMs: delayMark, memoryMarkMiB: Math.round(memoryMark / MIB) };
        log.warn({ ...figures, ...marks }, 'overloaded: new sockets and writes are refused');
      } else {
        const ms = Math.round(now() - since);
        log.warn({ ...figures, ms }, 'no longer overloaded: everything is accepted');
      }
    },
  });
  const timer = setInterval(() => overload.sample(), SAMPLE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * What JavaScript uses of the heap, and of buffers outside of it. The resident memory is no measure: it hardly ever
 * shrinks, so that an overload by it would not end.
 */
function usedMemory(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
