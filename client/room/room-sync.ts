/** Keeps a `RoomState` up to date: feeds events to the reducer, and reads the history that the state then lacks. */

import type { Message } from '../../protocol/events.ts';
import { TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { User } from '../../protocol/rest/accounts.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { ChatApi } from '../api/api.ts';
import type { Cancel, Clock } from '../clock.ts';
import { HistoryReader } from './history-reader.ts';
import type { JumpReader } from './jump-reader.ts';
import { nextTypingExpiry } from './people.ts';
import type { RoomFrame } from './room-frame.ts';
import { type RoomAction, reduceRoom } from './room-reducer.ts';
import {
  indexOfSeq,
  initialRoom,
  lastSeq,
  missing,
  type ReadAt,
  type RoomSnapshot,
  type RoomState,
  readAt,
} from './room-state.ts';

export interface RoomSyncOptions {
  readonly roomId: number;
  readonly me: User;
  readonly api: Pick<ChatApi, 'flow'>;
  /** See `ChatClientOptions.keep`. */
  readonly keep: number;
  readonly onChange: (state: RoomState) => void;
  /** Called after a page was read, with the messages held now. */
  readonly onRead: (messages: readonly Message[]) => void;
  /** Asks for a new connection, which sends what this one left out. */
  readonly resume: () => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** A snapshot that takes longer to load is ignored. */
const RESTORE_TIMEOUT_MS = 1000;
/** `hold` ends after this many times `keep` new messages: a page may stay open unattended for days. */
const HOLD_FACTOR = 10;

export class RoomSync {
  readonly #options: RoomSyncOptions;
  readonly #history: HistoryReader;
  #jumps: Promise<JumpReader> | null = null;
  #older: Promise<void> | null = null;
  #state: RoomState;
  #stopped = false;
  /** See `hold`. New messages are counted from `head`; when that is null, from the first head that becomes known. */
  #held: { readonly fromSeq: number; readonly head: number | null } | null = null;
  #cancelTyping: Cancel = () => {};

  constructor(options: RoomSyncOptions) {
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

  /** Jumps, and the pages around where they lead. The first one loads the code. */
  jumps(): Promise<JumpReader> {
    this.#jumps ??= this.#loadJumps();
    return this.#jumps;
  }

  /** Reads the latest page of history. */
  load(): void {
    this.#history.latest();
  }

  /** Reads the latest page of history once, and ignores a failure. */
  poll(): void {
    this.#history.poll();
  }

  /** Starts with the snapshot, and reads history when there is none. */
  async restore(restore: () => Promise<RoomSnapshot | null>): Promise<void> {
    const late = new Promise<null>((resolve) => {
      this.#options.clock.after(RESTORE_TIMEOUT_MS, () => resolve(null));
    });
    const snapshot = await Promise.race([restore().catch(() => null), late]);
    if (this.#stopped) return;
    if (snapshot !== null) this.dispatch({ type: 'restored', snapshot });
    // The connection sends what came after the snapshot.
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
    if (this.#state.detached?.isStale) void this.jumps().then((jumps) => jumps.refresh());
  }

  onFrame(frame: RoomFrame): void {
    this.dispatch({ type: 'frame', frame, now: this.#options.clock.now() });
    if (frame.type === 'typing') this.#scheduleTypingEnd();
  }

  /** A connection or the room has opened: a read that failed may be repeated at once. */
  connected(): void {
    this.#history.forgetFailure();
  }

  /** See `Room.loadOlder`. */
  async loadOlder(): Promise<void> {
    const { messages, hasOlder } = this.#state;
    const [oldest] = messages;
    if (oldest === undefined || !hasOlder) return;
    this.#older ??= this.#readOlder(oldest.id, messages.length).finally(() => {
      this.#older = null;
    });
    await this.#older;
  }

  async #readOlder(oldestId: number, held: number): Promise<void> {
    this.dispatch({ type: 'asked' });
    await this.#history.older(oldestId, held).catch((error) => {
      this.dispatch({ type: 'failed' });
      throw error;
    });
  }

  /** See `Room.hold`. */
  hold(fromSeq: number | null): void {
    this.#held = fromSeq === null ? null : { fromSeq, head: this.#state.head };
  }

  /** Freezes the state. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTyping();
    this.#history.stop();
    void this.#jumps?.then((jumps) => jumps.stop());
  }

  async #loadJumps(): Promise<JumpReader> {
    try {
      const { JumpReader } = await import('./jump-reader.ts');
      const dispatch = (action: RoomAction) => this.dispatch(action);
      return new JumpReader({ ...this.#options, state: () => this.#state, dispatch });
    } catch (error) {
      this.#jumps = null;
      throw error;
    }
  }

  #onLatest(page: HistoryPage, at: ReadAt): void {
    const first = page.messages[0]?.seq ?? 0;
    const { head } = this.#state;
    const reaches = head === null || first <= Math.max(head, lastSeq(this.#state)) + 1;
    // A page that starts over would remove messages that are being read. Unless it is required, resuming fills the gap.
    if (!reaches && this.#held !== null && missing(this.#state) !== 'history') return;
    this.#onPage({ type: 'latest', page, ...at });
  }

  #onPage(action: RoomAction): void {
    this.dispatch(action);
    // The messages held, not the page: a page of another epoch is dropped by the reducer.
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
    // The limit matters when the system clock was set back meanwhile.
    const delayMs = Math.min(Math.max(0, expiry - clock.now()), TYPING_TTL_MS);
    this.#cancelTyping = clock.after(delayMs, () => {
      this.dispatch({ type: 'tick', now: expiry });
      this.#scheduleTypingEnd();
    });
  }
}
