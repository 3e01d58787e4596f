/**
 * Collects the bytes of a part until they are worth a write. They are copied into memory that parts share in turn: chunks
 * that wait would be old when they go, and old ones are freed only by a collection that stops the event loop.
 */
import { letHeapGrow } from '../../platform/heap.ts';

/** Fewer, larger writes take a third of the time. */
const COLLECTED_BYTES = 128 * 1024;

/** Memory that no part uses now. */
const free: Buffer[] = [];
/** Parts that are open. */
let users = 0;

export class Collector {
  #memory: Buffer | undefined;
  #length = 0;

  constructor() {
    users += 1;
    if (users === 1) letHeapGrow(true);
  }

  get isFull(): boolean {
    return this.#length === COLLECTED_BYTES;
  }

  /** What was collected. It is valid until the next call. */
  get bytes(): Uint8Array {
    return this.#memory?.subarray(0, this.#length) ?? new Uint8Array();
  }

  /** Takes what fits, and says how many bytes that were. */
  take(chunk: Uint8Array): number {
    this.#memory ??= free.pop() ?? Buffer.allocUnsafeSlow(COLLECTED_BYTES);
    const taken = Math.min(chunk.length, COLLECTED_BYTES - this.#length);
    this.#memory.set(taken === chunk.length ? chunk : chunk.subarray(0, taken), this.#length);
    this.#length += taken;
    return taken;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Gives the memory to the next part. No more is kept than is in use, so the last part lets go of all. */
  release(): void {
    users -= 1;
    if (users === 0) letHeapGrow(false);
    if (this.#memory) free.push(this.#memory);
    this.#memory = undefined;
    free.length = Math.min(free.length, users);
  }
}
