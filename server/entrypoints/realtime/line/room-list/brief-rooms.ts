/**
 * The rooms on a user's list, in brief: what one line sends of them. A change goes out as a head, which follows on what
 * the client knows. Where there is a gap, the next `rooms` frame has the whole room.
 */
import type { EntryRow } from '../../../../data/storage/store.ts';
import type { SocketWriter } from '../../fanout/socket-writer.ts';
import { SHED_ABOVE_BYTES } from '../../fanout/turn.ts';
import type { Seat } from '../../room/seat.ts';
import type { HeadFrames, HeadLine } from '../heads/heads.ts';
import type { RoomHead } from '../heads/room-head.ts';
import type { Lines } from '../lines.ts';
import { HeadList } from './head-list.ts';
import { firstOf, ROOMS_A_READ, type RoomsFrame } from './rooms-frame.ts';

/** The line. */
export interface BriefLine extends HeadLine {
  readonly writer: SocketWriter;
  isOpen(): boolean;
  /** Resolves when the operating system has accepted what was sent, or when the socket is closed. */
  drained(): Promise<void>;
  /** Whether the room is open on this line, or being opened, so that the client gets everything of it. */
  hasOpen(roomId: number): boolean;
  /** Whether the notice of the user's removal has been delivered, and `gone` has not. */
  isLosing(roomId: number): boolean;
  sendRooms(frame: RoomsFrame): void;
  sendFramed(bytes: Buffer): void;
}

/** Rooms to send. */
interface List {
  /** Those that were read. */
  rows: readonly EntryRow[];
  /** Those that are still to be read. */
  waiting: readonly number[];
  isComplete: boolean;
  /** The rooms whose unread messages the client gets. */
  counted?: ReadonlySet<number>;
}

export class BriefRooms {
  readonly #line: BriefLine;
  readonly #lines: Lines;
  readonly #heads = new HeadList();
  /** Rooms on the list that the client does not know of; null: none. */
  #untold: Set<number> | null = null;
  /** Rooms whose next head would leave something out; null: none. */
  #owed: Set<number> | null = null;
  /** Rooms are being read and sent. Whatever changes in any room meanwhile is owed: its head might come first. */
  #isListing = false;

  constructor(line: BriefLine, lines: Lines) {
    this.#line = line;
    this.#lines = lines;
  }

  has(roomId: number): boolean {
    return this.#heads.has(roomId);
  }

  /** The room is on the list, as this entry says. */
  add({ room }: EntryRow): void {
    if (!this.#line.isOpen()) return;
    const { heads } = this.#lines;
    const head = this.#heads.get(room.id) ?? heads.attach(this.#line, room);
    this.#heads.set(head);
    if (heads.hasLost(this.#line.userId, room)) this.#line.onOut(room.id, true);
    // Its next head begins after what the entry does not have.
    else if (head.head > room.seq) this.#owe(room.id);
  }

  forget(roomId: number): void {
    const head = this.#heads.get(roomId);
    if (!head) return;
    this.#heads.delete(roomId);
    this.#owed?.delete(roomId);
    this.#lines.heads.detach(this.#line, head);
  }

  forgetAll(): void {
    for (const { roomId } of [...this.#heads]) this.forget(roomId);
  }

  /** The client does not know of this room, which is on its list, until something happens there. */
  leaveUntold(roomId: number): void {
    this.#untold ??= new Set();
    this.#untold.add(roomId);
  }

  /** A room that was open or being opened is in brief from now on; without a seat, it was never opened. */
  onClosed(roomId: number, seat?: Seat): void {
    const head = this.#heads.get(roomId)?.head ?? 0;
    const hasEverything = seat?.phase === 'live' && seat.channel.head >= head;
    if (!hasEverything) this.#owe(roomId);
  }

  tell(frames: HeadFrames): void {
    if (!this.#line.isOpen()) return;
    if (frames.size < this.#heads.size) {
      for (const [head, frame] of frames) this.#tell(head, frame);
      return;
    }
    for (const head of this.#heads) {
      const frame = frames.get(head);
      if (frame) this.#tell(head, frame);
    }
  }

  /** What a line that showed no room has not been sent yet. */
  tellWithheld(): void {
    for (const head of this.#heads) {
      const frame = head.frame('hidden');
      if (frame) this.#tell(head, frame);
    }
  }

  /** Sends the rooms that are owed, as they are now. The socket has nothing unsent. */
  async pay(): Promise<void> {
    if (this.#owed === null || this.#isListing) return;
    const roomIds = [...this.#owed];
    this.#owed = null;
    try {
      await this.#list({ rows: [], waiting: roomIds, isComplete: false });
    } catch {
      // The database takes no reads now: the next second tries again.
      for (const roomId of roomIds) this.#owe(roomId);
    }
  }

  /** Sends these rooms, which were just read; `isComplete`: they are all rooms of the list. */
  async list(rows: readonly EntryRow[], isComplete: boolean): Promise<void> {
    this.#heads.trim();
    const counted = new Set(rows.flatMap(({ room, count }) => (count ? [room.id] : [])));
    await this.#list({ rows, waiting: [], isComplete, counted });
  }

  /**
   * Sends rooms that were read, and those that wait to be, in frames of limited size. What does not fit into a frame is
   * read again once the socket has taken the frame, so that a slow client costs one frame and not the whole list.
   */
  async #list({ rows, waiting, isComplete, counted }: List): Promise<void> {
    this.#lines.heads.catchUp(this.#line);
    this.#isListing = true;
    try {
      for (let [read, unread] = [rows, waiting]; ; read = []) {
        if (read.length === 0 && unread.length > 0) {
          read = await this.#read(unread.slice(0, ROOMS_A_READ), counted);
          unread = unread.slice(ROOMS_A_READ);
        }
        const { entries, left } = firstOf(read, this.#lines);
        unread = [...left, ...unread];
        const hasMore = isComplete && unread.length > 0;
        this.#line.sendRooms({ entries, complete: isComplete, more: hasMore });
        if (unread.length === 0 || !this.#line.isOpen()) return;
        await this.#line.drained();
      }
    } finally {
      this.#isListing = false;
    }
  }

  /** Rooms that are still on the list. */
  async #read(roomIds: readonly number[], counted: List['counted']): Promise<EntryRow[]> {
    const { userId } = this.#line;
    const { store } = this.#lines.parts;
    const toCount = roomIds.filter((roomId) => counted?.has(roomId)).length;
    const rows = await store.entries({ userId, roomIds, maxDms: roomIds.length, counted: toCount });
    return rows.filter(({ room }) => this.has(room.id));
  }

  #tell(head: RoomHead, frame: Buffer): void {
    const { roomId } = head;
    const line = this.#line;
    if (this.#heads.get(roomId) !== head || line.hasOpen(roomId)) return;
    // The head may be behind the notice.
    if (line.isLosing(roomId)) return;
    const isShed = this.#isListing || line.writer.unsentBytes > SHED_ABOVE_BYTES;
    // A head alone means nothing to a client that does not know of the room.
    if (isShed || this.#untold?.delete(roomId)) this.#owe(roomId);
    if (!this.#owed?.has(roomId)) line.sendFramed(frame);
  }

  #owe(roomId: number): void {
    if (!this.#heads.has(roomId)) return;
    this.#owed ??= new Set();
    this.#owed.add(roomId);
  }
}
