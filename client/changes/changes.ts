/**
 * Changes of messages on their way to the server. Each is a state, not a step: it is shown at once, kept on the device,
 * sent until the server has responded, and replaced by a later one of the same thing.
 */
import { ApiError, isSignedOut, signedOut } from '../api/api-error.ts';
import type { MessagesApi } from '../api/messages-api.ts';
import type { Cancel, Clock } from '../clock.ts';
import { nothingToCancel } from '../clock.ts';
import { retryDelayMs } from '../connection/backoff.ts';
import type { Locks } from '../session/token-refresh.ts';
import { type Change, changeKey, type Wanted } from './change.ts';
import { requestChange, seqNow } from './change-request.ts';
import { type ChangesLine, sendOverLine } from './changes-line.ts';
import type { ChangesStore } from './changes-store.ts';
import { KeptChanges } from './kept-changes.ts';

export interface ChangesOptions {
  readonly userId: number;
  readonly api: MessagesApi;
  /** `ChatClient.line`: while it is open, edits, deletions and reactions go over it. Without it, all are requests. */
  readonly line?: ChangesLine | undefined;
  readonly store: ChangesStore;
  /** One tab at a time sends. */
  readonly locks?: Locks | undefined;
  /** The database that the client is connected to; null while that is not known. */
  readonly epoch: () => string | null;
  readonly onChange: (changes: readonly Change[]) => void;
  /** The server refuses a change for good, and it is withdrawn. `code`: the message of the error, as in a response. */
  readonly onRefused: (change: Change, code: string) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

export class Changes {
  readonly #options: ChangesOptions;
  readonly #kept: KeptChanges;
  /** The texts that were sent for an edit, until it is decided: a conflict with one of them is none. */
  readonly #sentTexts = new Map<string, Set<string>>();
  readonly #ends: readonly Cancel[];
  readonly #closing = new AbortController();
  #cancelTimer: Cancel = nothingToCancel;
  #failures = 0;
  /** The server asked to wait until then: nothing is sent earlier. */
  #notBefore = 0;
  /** The line was silent when a change went over it. Until it opens anew, changes are requests. */
  #isLineSilent = false;
  #last = 0;
  #isSending = false;
  #isOver = false;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#kept = new KeptChanges(options);
    this.#ends = [
      options.store.watch(() => void this.#load()),
      options.line?.on('open', (isOpen) => this.#onLine(isOpen)) ?? nothingToCancel,
    ];
    void this.#load();
  }

  /** All that wait or were confirmed a moment ago, in the order in which they were made. */
  get all(): readonly Change[] {
    return this.#kept.all;
  }

  /** Makes a change. `delayMs`: the time in which it can be taken back. */
  make(roomId: number, messageId: number, wanted: Wanted, { delayMs = 0 } = {}): Change {
    const { clock, epoch } = this.#options;
    const key = changeKey(roomId, messageId, wanted);
    const now = clock.now();
    // Each has a time of its own, so that a later state is known from an earlier one.
    this.#last = Math.max(now, this.#last + 1);
    const times = { createdAt: this.#last, dueAt: now + delayMs };
    const change = { key, roomId, messageId, wanted, ...times, epoch: epoch(), conflict: null };
    this.#kept.put(change);
    this.pump();
    return change;
  }

  /** Takes a change back. One that was already sent may still take effect. */
  discard(key: string): void {
    void this.#remove(key);
  }

  /** The device is online again, or a connection has opened: what waits for a retry goes now. */
  retryNow(): void {
    this.#failures = 0;
    this.pump();
  }

  /** The page goes away: a deletion that can be taken back, or waits for others, is sent at once. Twice is harmless. */
  hurry(): void {
    const now = this.#options.clock.now();
    for (const change of this.#kept.waiting) {
      if (change.wanted.kind !== 'delete' || !this.#isOurs() || this.#isOfOtherDatabase(change)) continue;
      if (change.dueAt > now) this.#kept.put({ ...change, dueAt: now });
      // It stays on the device until a response has come, here or after the next start.
      this.#options.api
        .delete(change.roomId, change.messageId, { keepalive: true })
        .then(() => this.#confirmed(change, null), ignore);
    }
  }

  /** Sends what is due, as long as the server responds. */
  pump(): void {
    this.#cancelTimer();
    if (this.#isSending || this.#isOver || this.#kept.waiting.length === 0) return;
    const pauseMs = this.#notBefore - this.#options.clock.now();
    if (pauseMs > 0) return this.#pumpIn(pauseMs);
    this.#isSending = true;
    const name = `roomful-changes-${this.#options.userId}`;
    const sending = this.#options.locks?.request(name, () => this.#sendDue()) ?? this.#sendDue();
    void sending
      .catch(() => this.#retryDelay(undefined))
      .then((delayMs) => {
        this.#isSending = false;
        this.#pumpIn(delayMs);
      });
  }

  /** Deletes everything: the user signs out of this device. */
  async clear(): Promise<void> {
    await this.#kept.clear();
  }

  /** Stops all work. The store keeps its changes. */
  close(): void {
    this.#isOver = true;
    this.#closing.abort();
    this.#cancelTimer();
    for (const end of this.#ends) end();
    this.#kept.close();
  }

  /** Resolves with the delay before the next try; null: nothing waits for one. */
  async #sendDue(): Promise<number | null> {
    // Another tab may have sent some of them, or taken them back, while this one waited for its turn.
    await this.#kept.read();
    for (;;) {
      const next = this.#next();
      if (next === undefined || this.#isOver) break;
      try {
        const seq = await this.#send(next);
        this.#failures = 0;
        // A later state of the same thing may have come meanwhile. It is sent next.
        await this.#confirmed(next, seq);
      } catch (error) {
        if (isSignedOut(error)) return null;
        if (!isFinal(error)) return this.#retryDelay(error);
        await this.#refused(next, error);
      }
    }
    const now = this.#options.clock.now();
    const later = this.#kept.waiting.filter(({ conflict }) => conflict === null);
    return later.length === 0 ? null : Math.max(0, Math.min(...later.map(({ dueAt }) => dueAt)) - now);
  }

  #next(): Change | undefined {
    const now = this.#options.clock.now();
    return this.#kept.waiting.find(({ dueAt, conflict }) => conflict === null && dueAt <= now);
  }

  /** Resolves with the `seq` of the confirmed change, where the response tells it. */
  async #send(change: Change): Promise<number | null> {
    const { line, api, clock } = this.#options;
    this.#mustBeSendable(change);
    const { key, wanted } = change;
    if (wanted.kind === 'edit')
      this.#sentTexts.set(key, (this.#sentTexts.get(key) ?? new Set()).add(wanted.content));
    const { signal } = this.#closing;
    const onSilent = () => {
      this.#isLineSilent = true;
    };
    const isUsable = line !== undefined && !this.#isLineSilent;
    const seq = isUsable ? await sendOverLine(line, change, { clock, signal, onSilent }) : null;
    if (seq !== null) return seq;
    if (this.#isOver) throw new ApiError(0, 'closed');
    this.#mustBeSendable(change);
    // It may have been replaced or taken back while the line was silent.
    return this.#kept.isLatest(change) ? requestChange(api, change) : null;
  }

  /** Rejects a change that would go in the name of another user, or to another database. */
  #mustBeSendable(change: Change): void {
    if (this.#isOfOtherDatabase(change)) throw new ApiError(404, 'other_database');
    if (!this.#isOurs()) throw signedOut();
  }

  /** In another database the number names another message. */
  #isOfOtherDatabase({ epoch }: Change): boolean {
    const current = this.#options.epoch();
    return epoch !== null && current !== null && epoch !== current;
  }

  /** Another user may have signed in meanwhile, and their line and token are in use. */
  #isOurs(): boolean {
    const { line, userId } = this.#options;
    return line === undefined || line.userId === userId;
  }

  #onLine(isOpen: boolean): void {
    this.#isLineSilent = false;
    if (isOpen) this.retryNow();
  }

  async #refused(change: Change, error: ApiError): Promise<void> {
    const { api, onRefused } = this.#options;
    const { wanted, roomId, messageId } = change;
    if (wanted.kind === 'edit' && error.status === 409) {
      // Nothing of either text is lost. A failure of this request is one of the edit.
      const conflict = await api.get(roomId, messageId);
      if (!this.#kept.isLatest(change)) return;
      // An earlier edit of the author's own took effect, and this one was written after it.
      const isOwn =
        conflict.content !== wanted.content && this.#sentTexts.get(change.key)?.has(conflict.content);
      if (isOwn) return this.#kept.put({ ...change, wanted: { ...wanted, base: conflict.revision ?? 0 } });
      if (conflict.deleted_at === undefined) return this.#kept.put({ ...change, conflict });
    }
    // Without a page to tell it, the change stays on the device, and the next start learns of the refusal.
    if (this.#isOver || !this.#kept.isLatest(change)) return;
    this.discard(change.key);
    onRefused(change, error.message);
  }

  /** Resolves when the change is off the device, so that no other tab sends it again. */
  async #confirmed(change: Change, seq: number | null): Promise<void> {
    if (!this.#kept.isLatest(change)) return;
    this.#kept.showConfirmed(change, seq);
    if (seq === null) void this.#findSeq(change);
    await this.#remove(change.key);
  }

  /** What others do meanwhile comes over a line only. Without one, time is all that ends the showing. */
  async #findSeq(change: Change): Promise<void> {
    const { line, api } = this.#options;
    const seq = line === undefined ? null : await seqNow(api, change);
    if (seq !== null) this.#kept.foundSeq(change, seq);
  }

  async #remove(key: string): Promise<void> {
    this.#sentTexts.delete(key);
    await this.#kept.remove(key);
  }

  #retryDelay(error: unknown): number {
    const atLeastMs = error instanceof ApiError ? error.retryAfterMs : undefined;
    this.#notBefore = this.#options.clock.now() + (atLeastMs ?? 0);
    return retryDelayMs(this.#failures++, atLeastMs, this.#options.random);
  }

  #pumpIn(delayMs: number | null): void {
    if (delayMs === null || this.#isOver) return;
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.pump());
  }

  /** What an earlier visit has left, and what other tabs have changed. */
  async #load(): Promise<void> {
    await this.#kept.read();
    this.pump();
  }
}

/** The server itself refuses it for good. What a proxy says during a deployment means nothing. */
function isFinal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.retryable || error.status === 401) return false;
  return !/^(status|unexpected) /.test(error.message);
}

function ignore(): void {}
