/** Keeps a `RoomState` true: puts what happens through the reducer, and reads what the state then lacks of history. */

import type { Message } from '../../protocol/events.ts';
import { TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { HistoryPage, User } from '../../protocol/rest.ts';
import type { ChatApi } from '../api/api.ts';
import type { Cancel, Clock } from '../clock.ts';
import type { RoomFrame } from '../connection/socket.ts';
import { HistoryReader } from './history-reader.ts';
import { nextTypingExpiry } from './people.ts';
import { type RoomAction, reduceRoom } from './room-reducer.ts';
import {
  indexOfSeq,
  initialRoom,
  missing,
  type ReadAt,
  type RoomSnapshot,
  type RoomState,
  readAt,
} from './room-state.ts';

export interface RoomStoreOptions {
  readonly roomId: number;
  readonly me: User;
  readonly api: Pick<ChatApi, 'history'>;
  /** Messages held at most; older ones are forgotten as new ones come. */
  readonly keep: number;
  readonly onChange: (state: RoomState) => void;
  /** A page was read: these are the messages held now. */
  readonly onRead: (messages: readonly Message[]) => void;
  /** Another connection is to send what this one left out. */
  readonly resume: () => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** A device that takes longer to read what it has kept is not waited for. */
const RESTORE_TIMEOUT_MS = 1000;
/** What is held on to is given up when so many times `keep` have come: a page may stand open and unattended for days. */
const HOLD_FACTOR = 10;

export class RoomStore {
  readonly #options: RoomStoreOptions;
  readonly #history: HistoryReader;
  #state: RoomState;
  #stopped = false;
  /** See `hold`. What comes is counted from `head` on; null: from where the head will be once it is known. */
  #held: { readonly fromSeq: number; readonly head: number | null } | null = null;
  #cancelTyping: Cancel = () => {};

  constructor(options: RoomStoreOptions) {
    this.#options = options;
    this.#state = initialRoom(options.roomId, options.me);
    this.#history = new HistoryReader({
      ...options,
      readAt: () => readAt(this.#state),
      onLatest: (page, at) => this.#onLatest(page, at),
      onOlder: (page, beforeId, at) => this.#onPage({ type: 'older', page, beforeId, ...at }),
    });
  }

  get state(): RoomState {
    return this.#state;
  }

  /** Reads the end of history. */
  load(): void {
    this.#history.latest();
  }

  /** Reads what is new at the end of history, if that can be had just now. */
  poll(): void {
    this.#history.poll();
  }

  /** Begins with what was kept, and reads history when that was nothing. */
  async restore(restore: () => Promise<RoomSnapshot | null>): Promise<void> {
    const late = new Promise<null>((resolve) => {
      this.#options.clock.after(RESTORE_TIMEOUT_MS, () => resolve(null));
    });
    const snapshot = await Promise.race([restore().catch(() => null), late]);
    if (this.#stopped) return;
    if (snapshot !== null) this.dispatch({ type: 'restored', snapshot });
    // What came after a snapshot is sent by the connection.
    if (this.#state.head === null) this.#history.latest();
  }

  dispatch(action: RoomAction): void {
    if (this.#stopped) return;
    const before = this.#state;
    this.#state = reduceRoom(before, action);
    if (this.#state === before) return;
    if (this.#state.head !== before.head) this.#forgetOldest();
    this.#options.onChange(this.#state);
    this.#fetchMissing();
  }

  hear(frame: RoomFrame): void {
    this.dispatch({ type: 'frame', frame, now: this.#options.clock.now() });
    if (frame.type === 'typing') this.#scheduleTypingEnd();
  }

  /** There is a line again: what could not be read may be tried at once. */
  connected(): void {
    this.#history.forgetFailure();
  }

  /** Fetches the page before the oldest message held; rejects with an `ApiError`. */
  async loadOlder(): Promise<void> {
    const { messages, hasOlder } = this.#state;
    const [oldest] = messages;
    if (oldest !== undefined && hasOlder) await this.#history.older(oldest.id, messages.length);
  }

  /**
   * Forgets no message from this seq on, as somebody reads there, until ten times `keep` have come or it is said anew.
   * Null: nobody does.
   */
  hold(fromSeq: number | null): void {
    this.#held = fromSeq === null ? null : { fromSeq, head: this.#state.head };
  }

  /** The state stays as it is. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTyping();
    this.#history.stop();
  }

  #onLatest(page: HistoryPage, at: ReadAt): void {
    const first = page.messages[0]?.seq ?? 0;
    const { head } = this.#state;
    const reaches = head === null || first <= head + 1;
    // A page that begins anew takes away what somebody reads; where it is not needed, a connection will fill the gap.
    if (!reaches && this.#held !== null && missing(this.#state) !== 'history') return;
    this.#onPage({ type: 'latest', page, ...at });
  }

  #onPage(action: RoomAction): void {
    this.dispatch(action);
    // Not what the page says: one of another life says nothing about this one, and leaves the same page missing.
    this.#options.onRead(this.#state.messages);
    this.#fetchMissing();
  }

  #forgetOldest(): void {
    const { messages, head } = this.#state;
    if (this.#held?.head === null) this.#held = { ...this.#held, head };
    const came = (head ?? 0) - (this.#held?.head ?? 0);
    if (came > HOLD_FACTOR * this.#options.keep) this.#held = null;
    const held = this.#held === null ? 0 : messages.length - indexOfSeq(messages, this.#held.fromSeq);
    const keep = Math.max(this.#options.keep, held);
    if (messages.length > 1.5 * keep) this.#state = reduceRoom(this.#state, { type: 'trim', keep });
  }

  #fetchMissing(): void {
    if (this.#stopped) return;
    switch (missing(this.#state)) {
      case 'history':
        this.#history.latest();
        return;
      case 'resume':
        this.#options.resume();
        return;
      case null:
        return;
    }
  }

  #scheduleTypingEnd(): void {
    this.#cancelTyping();
    const expiry = nextTypingExpiry(this.#state);
    if (expiry === null || this.#stopped) return;
    const { clock } = this.#options;
    // Whoever set the clock meanwhile: a hint lasts no longer than that.
    const delayMs = Math.min(Math.max(0, expiry - clock.now()), TYPING_TTL_MS);
    this.#cancelTyping = clock.after(delayMs, () => {
      this.dispatch({ type: 'tick', now: expiry });
      this.#scheduleTypingEnd();
    });
  }
}
