/** Sends read marks: each at once, more of one room together, and no more than the server takes. */
import type { ClientFrameV2, ReadMark } from '../../protocol/frames/v2.ts';
import type { Cancel, Clock } from '../clock.ts';
import type { HeldMark } from './held-mark.ts';

/** The shortest time between two marks of one room. */
const MARK_EVERY_MS = 3000;
/** Marks in `TURN_MS`: half of what the server takes, as other frames share its budget. */
const MARKS_A_TURN = 20;
const TURN_MS = 1000;
/** The shortest time after which a refused mark is sent again. */
const SEND_AGAIN_MS = 1000;

type Marks = ReadonlyMap<number, HeldMark>;

export interface MarkSenderOptions {
  readonly clock: Clock;
  /** The marks that the server has not confirmed, by room id. */
  readonly marks: () => Marks;
  /** Returns false when there is no connection. */
  readonly write: (frame: ClientFrameV2) => boolean;
}

interface Sent {
  /** Null: it was refused. */
  readonly mark: HeldMark | null;
  readonly cancel: Cancel;
}

export class MarkSender {
  readonly #options: MarkSenderOptions;
  /** Rooms whose mark was sent a moment ago. */
  readonly #sent = new Map<number, Sent>();
  /** Rooms whose mark waits for the next turn. */
  readonly #queue = new Set<number>();
  #left = MARKS_A_TURN;
  /** Null between turns: nothing has been sent for a while. */
  #cancelTurn: Cancel | null = null;
  /** What the first frame of the connection has. */
  #started: Marks = new Map();

  constructor(options: MarkSenderOptions) {
    this.#options = options;
  }

  /** The marks for the first frame of a connection. */
  start(): ReadMark[] {
    this.#started = this.#options.marks();
    return [...this.#started.values()].map(onWire);
  }

  /** The connection takes marks now: those that were made since its first frame. */
  connected(): void {
    this.changedSince(this.#started);
  }

  /** Sends the marks that have changed since they were these. */
  changedSince(before: Marks): void {
    const marks = this.#options.marks();
    if (marks === before) return;
    for (const [roomId, mark] of marks) {
      if (before.get(roomId) === mark) continue;
      this.#forget(roomId);
      this.#send(roomId);
    }
  }

  /** The mark of a room is new. The first goes at once, the next ones together. */
  changed(roomId: number): void {
    if (!this.#sent.has(roomId)) this.#send(roomId);
  }

  /** Sends the mark of a room now, if it was not sent yet; of all rooms without an id. */
  flush(roomId?: number): void {
    for (const id of roomId === undefined ? [...this.#sent.keys()] : [roomId]) {
      const sent = this.#sent.get(id);
      if (sent === undefined || sent.mark === this.#options.marks().get(id)) continue;
      this.#forget(id);
      this.#send(id);
    }
  }

  /**
   * The server refused a frame about this room. It does not say which: a mark that it has is not harmed by a repeat.
   */
  refused(roomId: number, retryAfterMs: number): void {
    if (!this.#options.marks().has(roomId)) return;
    this.#forget(roomId);
    this.#wait(roomId, null, Math.max(SEND_AGAIN_MS, retryAfterMs));
  }

  /** The connection is lost. The next one starts with the marks. */
  stop(): void {
    for (const id of [...this.#sent.keys()]) this.#forget(id);
    this.#queue.clear();
    this.#cancelTurn?.();
    this.#cancelTurn = null;
    this.#left = MARKS_A_TURN;
  }

  #send(roomId: number): void {
    const mark = this.#options.marks().get(roomId);
    if (mark === undefined) return;
    if (this.#left === 0) return void this.#queue.add(roomId);
    // Without a connection, the next one starts with it.
    if (!this.#options.write({ type: 'read', ...onWire(mark) })) return;
    this.#left--;
    this.#cancelTurn ??= this.#options.clock.after(TURN_MS, () => this.#nextTurn());
    this.#wait(roomId, mark, MARK_EVERY_MS);
  }

  #wait(roomId: number, mark: HeldMark | null, ms: number): void {
    const again = () => {
      this.#sent.delete(roomId);
      if (this.#options.marks().get(roomId) !== mark) this.#send(roomId);
    };
    this.#sent.set(roomId, { mark, cancel: this.#options.clock.after(ms, again) });
  }

  #nextTurn(): void {
    this.#cancelTurn = null;
    this.#left = MARKS_A_TURN;
    const queued = [...this.#queue];
    this.#queue.clear();
    for (const roomId of queued) this.#send(roomId);
  }

  #forget(roomId: number): void {
    this.#sent.get(roomId)?.cancel();
    this.#sent.delete(roomId);
  }
}

function onWire({ isSecond: _, ...mark }: HeldMark): ReadMark {
  return mark;
}
