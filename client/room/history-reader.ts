/** Reads a room's history page by page, one read at a time, and repeats reads that fail. */
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { ChatApi } from '../api/api.ts';
import { ApiError, isSignedOut } from '../api/api-error.ts';
import type { Cancel, Clock } from '../clock.ts';
import { retryDelayMs } from '../connection/backoff.ts';
import type { ReadAt } from './room-state.ts';

export interface HistoryReaderOptions {
  readonly roomId: number;
  readonly api: Pick<ChatApi, 'flow'>;
  /** The state at the moment when a page is requested. */
  readonly readAt: () => ReadAt;
  readonly onLatest: (page: HistoryPage, at: ReadAt) => void;
  readonly onOlder: (page: HistoryPage, beforeId: number, at: ReadAt) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The minimum and maximum number of messages of a page. The server's limit is the maximum. */
const PAGE = 50;
const MAX_PAGE = 200;

/** Reading of the latest page. */
type Latest =
  | { readonly phase: 'idle' }
  | { readonly phase: 'reading' }
  /** The last read failed; `cancel` stops the retry. */
  | { readonly phase: 'waiting'; readonly cancel: Cancel }
  /** The session is gone, so a retry would fail as well, until a connection opens. */
  | { readonly phase: 'blocked' }
  | { readonly phase: 'stopped' };

/** Reading on takes fewer requests with larger pages. `held`: how many messages are held already. */
export function pageLimit(held: number): number {
  return Math.min(Math.max(held, PAGE), MAX_PAGE);
}

export class HistoryReader {
  readonly #options: HistoryReaderOptions;
  #latest: Latest = { phase: 'idle' };
  /** Whether a failed read is repeated. */
  #isNeeded = false;
  #failures = 0;
  #older: Promise<void> | null = null;

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
  }

  /** Reads the latest page and repeats the read until it succeeds. Joins a read or a wait that is in progress. */
  latest(): void {
    this.#isNeeded = true;
    this.poll();
  }

  /** Reads the latest page, and ignores a failure. */
  poll(): void {
    if (this.#latest.phase === 'idle') void this.#readLatest();
  }

  /**
   * Reads the page before a message. `held` is the number of messages held already: reading far back takes fewer
   * requests with larger pages. Rejects with an `ApiError`.
   */
  older(beforeId: number, held: number): Promise<void> {
    const limit = pageLimit(held);
    this.#older ??= this.#readOlder(beforeId, limit).finally(() => {
      this.#older = null;
    });
    return this.#older;
  }

  /** A connection or the room has opened: the next read need not wait for the last failure. */
  forgetFailure(): void {
    if (this.#latest.phase === 'waiting') this.#latest.cancel();
    if (this.#latest.phase === 'waiting' || this.#latest.phase === 'blocked')
      this.#latest = { phase: 'idle' };
  }

  /** Ends all reading. */
  stop(): void {
    this.forgetFailure();
    this.#latest = { phase: 'stopped' };
  }

  async #readLatest(): Promise<void> {
    const { api, roomId, readAt, onLatest } = this.#options;
    this.#latest = { phase: 'reading' };
    const at = readAt();
    let page: HistoryPage;
    try {
      page = await api.flow(roomId, { limit: PAGE });
    } catch (error) {
      if (this.#isReading) this.#latest = this.#failed(error);
      return;
    }
    if (!this.#isReading) return;
    this.#latest = { phase: 'idle' };
    this.#isNeeded = false;
    this.#failures = 0;
    onLatest(page, at);
  }

  /** False once `stop` was called during a read. */
  get #isReading(): boolean {
    return this.#latest.phase === 'reading';
  }

  #failed(error: unknown): Latest {
    if (!this.#isNeeded) return { phase: 'idle' };
    // The socket reports a session that ended. Every other failure may be temporary: a room that is gone may be back
    // before the socket reports the loss, and then it reports neither.
    if (isSignedOut(error)) return { phase: 'blocked' };
    const { clock, random } = this.#options;
    const atLeastMs = error instanceof ApiError ? error.retryAfterMs : undefined;
    const delayMs = retryDelayMs(this.#failures, atLeastMs, random);
    this.#failures += 1;
    const retry = () => {
      this.#latest = { phase: 'idle' };
      this.latest();
    };
    return { phase: 'waiting', cancel: clock.after(delayMs, retry) };
  }

  async #readOlder(beforeId: number, limit: number): Promise<void> {
    const { api, roomId, readAt, onOlder } = this.#options;
    const at = readAt();
    onOlder(await api.flow(roomId, { limit, beforeId }), beforeId, at);
  }
}
