/** Hands code to a worker, one text at a time, and gives up on a text that takes too long. */
import type { CodePiece } from './highlighter.ts';

export interface HighlightRequest {
  readonly code: string;
  readonly language: string;
}

export type WorkerMessage =
  /** The worker has loaded and takes requests. */
  { readonly kind: 'ready' } | { readonly kind: 'done'; readonly pieces: readonly CodePiece[] };

/** The part of a `Worker` that is used here. */
export interface HighlightWorker {
  postMessage(request: HighlightRequest): void;
  terminate(): void;
  onmessage: ((event: { readonly data: WorkerMessage }) => void) | null;
  onerror: (() => void) | null;
}

/** A text that takes longer stays plain. The worker is ended with it: a regular expression cannot be interrupted. */
const DEADLINE_MS = 2000;
/** Requests that wait. Beyond that the oldest stays plain: it has most likely been scrolled away. */
const MAX_WAITING = 100;

interface Task extends HighlightRequest {
  /** Null: it stays plain. */
  readonly settle: (pieces: readonly CodePiece[] | null) => void;
}

export class HighlightQueue {
  readonly #spawn: () => HighlightWorker;
  readonly #waiting: Task[] = [];
  #worker: HighlightWorker | null = null;
  #isReady = false;
  #current: Task | null = null;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(spawn: () => HighlightWorker) {
    this.#spawn = spawn;
  }

  /** The code in coloured pieces, or null when it stays plain. Never rejects. */
  highlight(request: HighlightRequest): Promise<readonly CodePiece[] | null> {
    return new Promise((settle) => {
      this.#waiting.push({ ...request, settle });
      if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()?.settle(null);
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== null || this.#waiting.length === 0) return;
    this.#worker ??= this.#start();
    if (!this.#isReady) return;
    this.#current = this.#waiting.shift() ?? null;
    if (this.#current === null) return;
    const { code, language } = this.#current;
    this.#worker.postMessage({ code, language });
    this.#deadline = setTimeout(() => this.#end(), DEADLINE_MS);
  }

  #start(): HighlightWorker {
    const worker = this.#spawn();
    worker.onmessage = ({ data }) => {
      if (data.kind === 'ready') this.#isReady = true;
      else this.#settle(data.pieces);
      this.#next();
    };
    // It could not be loaded: without a server, say. What waits stays plain; the next request tries again.
    worker.onerror = () => {
      for (const task of this.#waiting.splice(0)) task.settle(null);
      this.#end();
    };
    return worker;
  }

  /** Ends the worker, with what it is doing. */
  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
    this.#settle(null);
    this.#next();
  }

  #settle(pieces: readonly CodePiece[] | null): void {
    clearTimeout(this.#deadline);
    const task = this.#current;
    this.#current = null;
    task?.settle(pieces);
  }
}
