/** The user's rooms, kept up to date over the line, and how far the user has read in them. */
import type { ClientFrameV2, ReadMark } from '../../protocol/frames/v2.ts';
import { UNREAD_ROOMS_MAX } from '../../protocol/limits.ts';
import type { RoomEntry } from '../../protocol/rooms.ts';
import { type Cancel, type Clock, nothingToCancel } from '../clock.ts';
import type { Frame } from '../connection/frames.ts';
import type { LineFrame, StartFrame } from '../connection/line-socket.ts';
import type { KeyValueStorage } from '../session/storage.ts';
import { loadExcerpts } from './excerpts.ts';
import { MarkSender } from './mark-sender.ts';
import { MarkStore } from './mark-store.ts';
import { type RoomsAction, reduceRooms } from './rooms-reducer.ts';
import { initialRooms, type RoomsSnapshot, type RoomsState } from './rooms-state.ts';

export interface RoomListOptions {
  readonly storage: KeyValueStorage;
  /** Called when somebody begins to listen. */
  readonly onWanted: () => void;
  readonly clock: Clock;
}

/** The shortest time after which a refused question is asked again. */
const ASK_AGAIN_MS = 1000;
/** A connection waits no longer for what is loaded from the device. */
const LOAD_TIMEOUT_MS = 1000;

/** The line of the signed-in user. */
export interface ListLine {
  send(frame: ClientFrameV2): boolean;
}

/** The user's rooms: `ChatClient.rooms`. */
export class RoomList {
  readonly #options: RoomListOptions;
  readonly #listeners = new Set<(state: RoomsState) => void>();
  #state = initialRooms(0);
  #line: ListLine | null = null;
  #marks: MarkStore | null = null;
  #restoring: Promise<void> | null = null;
  readonly #sender: MarkSender;
  /** Rooms in sight. */
  #sought: readonly number[] = [];
  /** What the server was asked to count on this connection, by room id. */
  readonly #asked = new Map<number, string>();
  /** The rooms of the question that is on its way. */
  #asking: readonly number[] | null = null;
  #cancelAsking: Cancel = nothingToCancel;

  /** @internal `ChatClient` creates it. */
  constructor(options: RoomListOptions) {
    this.#options = options;
    this.#sender = new MarkSender({
      clock: options.clock,
      marks: () => this.#state.marks,
      write: (frame) => this.#line?.send(frame) ?? false,
    });
  }

  /** Each change creates a new object; earlier ones do not change. */
  get state(): RoomsState {
    return this.#state;
  }

  /** @internal Whether somebody listens. */
  get isWanted(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls `listener` after each change, until cancelled. While there is a listener, the client stays connected. */
  subscribe(listener: (state: RoomsState) => void): Cancel {
    this.#listeners.add(listener);
    this.#options.onWanted();
    return () => {
      this.#listeners.delete(listener);
      this.#options.onWanted();
    };
  }

  /** Marks a room as read up to `seq`. Messages that were read stay read: a lower number changes nothing. */
  markRead(roomId: number, seq: number): void {
    const room = this.#state.rooms.get(roomId);
    if (room !== undefined && seq > room.readSeq)
      this.#mark([{ room_id: roomId, seq, known: room.me.read_set }]);
  }

  /** Makes everything after `seq` unread, on all devices. */
  markUnread(roomId: number, seq: number): void {
    const room = this.#state.rooms.get(roomId);
    if (room === undefined) return;
    this.#mark([{ room_id: roomId, seq, known: room.me.read_set, unread: true }]);
    this.flush(roomId);
  }

  /** Marks all rooms as read. Returns the function that undoes it. */
  markAllRead(): () => void {
    const unread = [...this.#state.rooms.values()].filter(
      (room) => room.readSeq < room.seq && room.unread !== 0,
    );
    this.#mark(unread.map(({ room, seq, me }) => ({ room_id: room.id, seq, known: me.read_set })));
    return () => {
      for (const { room, readSeq } of unread) this.markUnread(room.id, readSeq);
    };
  }

  /** Says which rooms are in sight: the server is asked for their counts where those are not exact. */
  look(roomIds: readonly number[]): void {
    this.#sought = roomIds;
    this.#ask();
  }

  /** The people whose messages do not count as unread. */
  setBlocked(ids: ReadonlySet<number>): void {
    this.#dispatch({ type: 'blocked', ids });
  }

  /** Sends the mark of a room now, as the user leaves it; of all rooms without an id. */
  flush(roomId?: number): void {
    this.#sender.flush(roomId);
  }

  /** @internal A user has signed in. `restore`: what an earlier visit saved. */
  begin(userId: number, line: ListLine, restore?: () => Promise<RoomsSnapshot | null>): void {
    this.#line = line;
    this.#marks = new MarkStore(this.#options.storage, userId);
    this.#state = initialRooms(userId);
    this.#restoring = restore === undefined ? null : this.#restore(userId, restore);
    this.#notify();
  }

  /** @internal The user is gone; `forget`: with everything that this device keeps. */
  end(forget: boolean): void {
    this.#clearTimers();
    if (forget) this.#marks?.clear();
    this.#line = null;
    this.#marks = null;
    this.#state = initialRooms(0);
    this.#notify();
  }

  /** Resolves once the list has what an earlier visit saved, or there is nothing of it. */
  async ready(): Promise<void> {
    await this.#inTime(loadExcerpts());
    await this.#restoring;
  }

  /** @internal What is known, for the first frame of a connection; null while the database is not. */
  start(current: string | null): StartFrame | null {
    const { userSeq, rooms } = this.#state;
    const epoch = this.#state.epoch ?? current;
    // Without a name of the database, nothing that is opened later could be resumed.
    if (epoch === null) return null;
    this.#loadMarks(epoch);
    const marks = this.#sender.start();
    const read = marks.length === 0 ? {} : { read: marks };
    if (userSeq === null) return { type: 'start', epoch, ...read };
    const heads = Object.fromEntries([...rooms].map(([id, { seq }]) => [String(id), seq]));
    return { type: 'start', epoch, user_seq: userSeq, rooms: heads, ...read };
  }

  /** @internal */
  onFrame(frame: LineFrame): void {
    if (frame.type === 'rooms') this.#asking = null;
    // If the room comes back, its count is not known.
    if (frame.type === 'gone') this.#asked.delete(frame.room_id);
    if (frame.type === 'error') this.#onError(frame);
    const { marks } = this.#state;
    this.#dispatch({ type: 'frame', frame });
    if (frame.type === 'hello') this.#sender.connected();
    else this.#sender.changedSince(marks);
    if (frame.type === 'rooms') this.#askAgain(frame.rooms);
    this.#ask();
  }

  /** @internal A room is opened, and what comes after this number follows. */
  resuming(roomId: number, since: number): void {
    this.#dispatch({ type: 'resuming', roomId, since });
  }

  /** @internal The connection is lost. */
  lost(): void {
    this.#clearTimers();
    this.#dispatch({ type: 'lost' });
  }

  #mark(marks: readonly ReadMark[]): void {
    this.#dispatch({ type: 'marked', marks });
    for (const { room_id: id } of marks) this.#sender.changed(id);
  }

  /** Asks for the counts of rooms in sight, one frame at a time. */
  #ask(): void {
    if (this.#asking !== null || this.#state.phase !== 'live') return;
    const ids = [...this.#sought].filter((id) => this.#isUncounted(id)).slice(0, UNREAD_ROOMS_MAX);
    if (ids.length === 0 || !this.#line?.send({ type: 'unread', room_ids: ids })) return;
    this.#asking = ids;
    for (const id of ids) this.#asked.set(id, this.#placeOf(id));
  }

  /** An error that names no room may refuse the question, and one that names a room may refuse its mark. */
  #onError({ room_id: roomId, retry_after_ms: retryAfterMs = 0, retryable }: Frame<'error'>): void {
    if (roomId === undefined) this.#onRefused(retryAfterMs);
    else if (retryable) this.#sender.refused(roomId, retryAfterMs);
  }

  #onRefused(retryAfterMs: number): void {
    // Entries that came for another reason may have seemed to be the response, so an earlier question may be refused.
    const asking = [...this.#asked.keys()].filter((id) => !this.#isCounted(id));
    if (asking.length === 0 && this.#asking === null) return;
    // Nothing else is asked meanwhile.
    this.#asking = asking;
    this.#cancelAsking();
    this.#cancelAsking = this.#options.clock.after(Math.max(ASK_AGAIN_MS, retryAfterMs), () => {
      this.#asking = null;
      for (const id of asking) this.#asked.delete(id);
      this.#ask();
    });
  }

  /** A mark that the server does not have would make its count wrong. */
  #isUncounted(roomId: number): boolean {
    if (this.#state.marks.has(roomId) || this.#isCounted(roomId)) return false;
    return this.#asked.get(roomId) !== this.#placeOf(roomId);
  }

  /** Whether nothing is left to count, also because the room is not on the list. */
  #isCounted(roomId: number): boolean {
    const room = this.#state.rooms.get(roomId);
    return room === undefined || (room.count !== 'estimate' && room.unread !== null);
  }

  /** A count of a room as it was before what this device has is asked for once more. */
  #askAgain(entries: readonly RoomEntry[]): void {
    for (const { room, seq } of entries) {
      if (seq < (this.#state.rooms.get(room.id)?.seq ?? 0)) this.#asked.delete(room.id);
    }
  }

  /** What a count depends on: the same question is asked once. */
  #placeOf(roomId: number): string {
    const room = this.#state.rooms.get(roomId);
    return `${room?.seq} ${room?.me.read_seq} ${room?.me.read_set}`;
  }

  /** What an earlier visit has left. Called before the first list. */
  #loadMarks(epoch: string): void {
    if (this.#state.epoch !== null) return;
    const marks = this.#marks?.load(epoch) ?? [];
    this.#state = reduceRooms(this.#state, { type: 'marked', marks });
  }

  async #restore(userId: number, restore: () => Promise<RoomsSnapshot | null>): Promise<void> {
    const snapshot = await this.#inTime(restore().catch(() => null));
    if (!snapshot || this.#state.userId !== userId) return;
    this.#loadMarks(snapshot.epoch);
    this.#dispatch({ type: 'restored', snapshot });
  }

  /** What is loaded; undefined when that takes too long. */
  #inTime<T>(loading: Promise<T> | undefined): Promise<T | undefined> | undefined {
    if (loading === undefined) return undefined;
    const late = new Promise<undefined>((resolve) => {
      this.#options.clock.after(LOAD_TIMEOUT_MS, () => resolve(undefined));
    });
    return Promise.race([loading, late]);
  }

  #dispatch(action: RoomsAction): void {
    const before = this.#state;
    this.#state = reduceRooms(before, action);
    if (this.#state === before) return;
    const { epoch, marks } = this.#state;
    if (epoch !== null) this.#marks?.update(epoch, before.marks, marks);
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener(this.#state);
  }

  #clearTimers(): void {
    this.#sender.stop();
    this.#asked.clear();
    this.#cancelAsking();
    this.#asking = null;
  }
}
