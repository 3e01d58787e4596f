/** Reads a room's history page by page, one read at a time; what fails is tried again. */
import type { HistoryPage } from '../../protocol/rest.ts';
import { ApiError, type ChatApi, isRoomGone, isSignedOut } from '../api/api.ts';
import type { Cancel, Clock } from '../clock.ts';
import { reconnectDelayMs } from '../connection/backoff.ts';
import type { ReadAt } from './room-state.ts';

export interface HistoryReaderOptions {
  readonly roomId: number;
  readonly api: Pick<ChatApi, 'history'>;
  /** What is known at the moment when a page is asked for. */
  readonly readAt: () => ReadAt;
  readonly onLatest: (page: HistoryPage, at: ReadAt) => void;
  readonly onOlder: (page: HistoryPage, beforeId: number, at: ReadAt) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** How many messages a page has at least and at most; the server gives no more. */
const PAGE = 50;
const MAX_PAGE = 200;

export class HistoryReader {
  readonly #options: HistoryReaderOptions;
  #isReading = false;
  /** Whether a failure is to be made good for. */
  #isNeeded = false;
  #failures = 0;
  /** Set when a read has failed, until its next try. */
  #cancelRetry: Cancel | null = null;
  #older: Promise<void> | null = null;
  #stopped = false;

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
  }

  /** Reads the end of history, unless that is under way or failed a moment ago; tries until it has it. */
  latest(): void {
    this.#isNeeded = true;
    this.poll();
  }

  /** The same, but a failure is left at that. */
  poll(): void {
    if (!this.#stopped && !this.#isReading && this.#cancelRetry === null) void this.#readLatest();
  }

  /**
   * Reads what lies before a message, as much as is `held` already: who reads far back needs few requests for it. Rejects
   * with an `ApiError`.
   */
  older(beforeId: number, held: number): Promise<void> {
    const limit = Math.min(Math.max(held, PAGE), MAX_PAGE);
    this.#older ??= this.#readOlder(beforeId, limit).finally(() => {
      this.#older = null;
    });
    return this.#older;
  }

  /** The next read may be tried at once. */
  forgetFailure(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
  }

  /** Tries nothing any more. */
  stop(): void {
    this.#stopped = true;
    this.forgetFailure();
  }

  async #readLatest(): Promise<void> {
    const { api, roomId, readAt, onLatest } = this.#options;
    this.#isReading = true;
    const at = readAt();
    const page = await api.history(roomId, { limit: PAGE }).catch((error) => this.#failed(error));
    this.#isReading = false;
    if (page === null || this.#stopped) return;
    this.#isNeeded = false;
    this.#failures = 0;
    onLatest(page, at);
  }

  #failed(error: unknown): null {
    if (this.#stopped || !this.#isNeeded) return null;
    const { clock, random } = this.#options;
    const atLeastMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(reconnectDelayMs(this.#failures, random), atLeastMs);
    this.#failures += 1;
    // A session that ended and a room that is gone are told by the socket; the rest may be better in a moment.
    const isFinal = isSignedOut(error) || isRoomGone(error);
    const retry = () => {
      this.forgetFailure();
      this.latest();
    };
    this.#cancelRetry = isFinal ? () => {} : clock.after(delayMs, retry);
    return null;
  }

  async #readOlder(beforeId: number, limit: number): Promise<void> {
    const { api, roomId, readAt, onOlder } = this.#options;
    const at = readAt();
    onOlder(await api.history(roomId, { limit, beforeId }), beforeId, at);
  }
}
