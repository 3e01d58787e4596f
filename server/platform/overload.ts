/**
 * Whether the process has more to do than it can. Two marks tell: how late the event loop runs a timer, and how much
 * memory JavaScript uses. Beyond a mark new sockets and writing requests are refused (lifecycle.ts).
 */
import { getHeapStatistics } from 'node:v8';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './log.ts';
import { measures } from './metrics/measures.ts';

export const SAMPLE_EVERY_MS = 100;
/** The median of these is compared, so that one long turn, such as that of a garbage collection, is no overload. */
const SAMPLES = 5;
/** An overload ends below these parts of the marks, so that it does not begin and end with each sample. */
const DELAY_END = 0.5;
const MEMORY_END = 0.9;
/** The part of V8's heap limit, at which the process would end, that is the mark unless a setting says otherwise. */
const DEFAULT_MEMORY_SHARE = 0.85;
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
  /** The overload begins or ends. */
  onChange(isOn: boolean, median: { delayMs: number; memory: number }): void;
}

export class Overload {
  readonly #options: OverloadOptions;
  readonly #delays = new LastSamples();
  readonly #memory = new LastSamples();
  #sampledAt: number;
  #isOn = false;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#sampledAt = options.now();
  }

  /** Takes a sample. Call it from a timer that is due `SAMPLE_EVERY_MS` after the last call. */
  sample(): void {
    const { now, memory, delayMark, memoryMark, onChange } = this.#options;
    const at = now();
    const late = Math.max(0, at - this.#sampledAt - SAMPLE_EVERY_MS);
    measures.loopDelay.observe(late / 1000);
    const delayMs = this.#delays.add(late);
    const used = this.#memory.add(memory());
    this.#sampledAt = at;
    const isOn =
      isBeyond(delayMs, delayMark, this.#isOn ? DELAY_END : 1) ||
      isBeyond(used, memoryMark, this.#isOn ? MEMORY_END : 1);
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    onChange(isOn, { delayMs, memory: used });
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

/** Watches this process, and keeps `lifecycle.isOverloaded`. Returns a function that ends it. */
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
    delayMark,
    memoryMark,
    now,
    memory: usedMemory,
    onChange(isOverloaded, { delayMs, memory }) {
      lifecycle.isOverloaded = isOverloaded;
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
